// Reports what the viewer shows, whenever that changes and when it is asked. It waits for the viewer's settings, and is
// added to them as an extension; that is handed the viewer's services.
report => {
  let services = null;
  let told = '';
  const held = (of, name) => of[Object.getOwnPropertySymbols(of).find(symbol => symbol.description === name)];

  const view = viewer => {
    const map = held(viewer.viewer, 'map');
    const [left, lower, right, upper] = map.getView().calculateExtent(map.getSize());
    return {
      study_uid: viewer.studyInstanceUID,
      pixel: map.getView().getResolution(),
      left, right, upper: -upper, lower: -lower,
    };
  };

  const annotation = one => ({
    uid: one.uid,
    study_uid: one.studyInstanceUID,
    kind: one.roiGraphic.scoord3d.graphicType,
    points: one.roiGraphic.scoord3d.graphicData,
    label: one.label || '',
  });

  const outlines = id => {
    const { segmentationService } = services;
    const named = Object.fromEntries(segmentationService.getSegmentations().map(one => [one.segmentationId, one.segments]));
    return segmentationService.getSegmentationRepresentations(id).flatMap(one =>
      Object.values(one.segments).filter(segment => segment.visible).map(segment => named[one.segmentationId][segment.segmentIndex].label));
  };

  const tile = (id, place) => {
    const { displaySetService, cornerstoneViewportService } = services;
    const shown = place.displaySetInstanceUIDs.map(uid => displaySetService.getDisplaySetByUID(uid)).find(Boolean);
    const port = cornerstoneViewportService.getCornerstoneViewport(id);
    const { lower, upper } = port?.getProperties().voiRange || {};
    return {
      study_uid: shown?.StudyInstanceUID || '',
      series_uid: shown?.SeriesInstanceUID || '',
      kind: port?.type || '',
      image: port?.getCurrentImageIdIndex ? port.getCurrentImageIdIndex() + 1 : null,
      width: lower === undefined ? null : Math.round(upper - lower + 1),
      level: lower === undefined ? null : Math.round((upper + lower + 1) / 2),
      outlines: outlines(id),
      active: id === services.viewportGridService.getActiveViewportId(),
    };
  };

  const measurement = one => ({
    study_uid: one.referenceStudyUID,
    image_uid: one.SOPInstanceUID,
    tool: one.toolName,
    label: one.label || '',
    points: one.points.map(point => point.map(value => Math.round(value * 100) / 100)),
  });

  const radiology = () => {
    const { viewportGridService, measurementService } = services;
    if (!/^\/(viewer|segmentation)\b/.test(location.pathname)) return { layout: null, viewports: {}, measurements: {} };
    const { layout, viewports } = viewportGridService.getState();
    return {
      layout: { rows: layout.numRows, columns: layout.numCols },
      viewports: Object.fromEntries([...viewports].map(([id, place]) => [id, tile(id, place)])),
      measurements: Object.fromEntries(measurementService.getMeasurements().map(one => [one.uid, measurement(one)])),
    };
  };

  const look = () => {
    const service = services.microscopyService;
    const asked = new URLSearchParams(location.search).getAll('StudyInstanceUIDs');
    return {
      page: location.pathname,
      asked: asked.join(','),
      views: service ? service.getAllManagedViewers().map(view) : [],
      annotations: service ? service.getAnnotations().map(annotation) : [],
      ...radiology(),
    };
  };

  const tell = () => {
    if (!services) return;
    let seen;
    try {
      seen = look();
    } catch {
      return; // the viewer is being built or taken down
    }
    const text = JSON.stringify(seen);
    if (text === told) return;
    told = text;
    report(seen);
  };

  const preRegistration = ({ servicesManager }) => {
    services = servicesManager.services;
    setInterval(tell, 100);
  };
  Object.defineProperty(window, 'config', { configurable: true, set(config) {
    Object.defineProperty(window, 'config', { value: config, configurable: true, enumerable: true, writable: true });
    config.extensions = [{ id: 'reading-room', preRegistration }];
  } });
  return tell;
}
