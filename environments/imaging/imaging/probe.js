// Reports what the viewer shows, whenever that changes. It holds all that it needs in this closure: page scripts find nothing.
(key => ({ servicesManager }) => {
  const held = (of, name) => of[Object.getOwnPropertySymbols(of).find(symbol => symbol.description === name)];
  const send = window.fetch.bind(window);

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
    const { segmentationService } = servicesManager.services;
    const named = Object.fromEntries(segmentationService.getSegmentations().map(one => [one.segmentationId, one.segments]));
    return segmentationService.getSegmentationRepresentations(id).flatMap(one =>
      Object.values(one.segments).filter(segment => segment.visible).map(segment => named[one.segmentationId][segment.segmentIndex].label));
  };

  const tile = (id, place) => {
    const { displaySetService, cornerstoneViewportService } = servicesManager.services;
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
      active: id === servicesManager.services.viewportGridService.getActiveViewportId(),
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
    const { viewportGridService, measurementService } = servicesManager.services;
    if (!/^\/(viewer|segmentation)\b/.test(location.pathname)) return { layout: null, viewports: {}, measurements: {} };
    const { layout, viewports } = viewportGridService.getState();
    return {
      layout: { rows: layout.numRows, columns: layout.numCols },
      viewports: Object.fromEntries([...viewports].map(([id, place]) => [id, tile(id, place)])),
      measurements: Object.fromEntries(measurementService.getMeasurements().map(one => [one.uid, measurement(one)])),
    };
  };

  const look = () => {
    const service = servicesManager.services.microscopyService;
    const asked = new URLSearchParams(location.search).getAll('StudyInstanceUIDs');
    return {
      page: location.pathname,
      asked: asked.join(','),
      views: service ? service.getAllManagedViewers().map(view) : [],
      annotations: service ? service.getAnnotations().map(annotation) : [],
      ...radiology(),
    };
  };

  let told = '';
  setInterval(() => {
    let seen;
    try {
      seen = JSON.stringify(look());
    } catch {
      return; // the viewer is being built or taken down
    }
    if (seen === told) return;
    told = seen;
    send('/reading-room/' + key, { method: 'POST', body: seen, keepalive: true });
  }, 100);
})
