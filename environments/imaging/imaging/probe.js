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

  const look = () => {
    const service = servicesManager.services.microscopyService;
    const asked = new URLSearchParams(location.search).getAll('StudyInstanceUIDs');
    return {
      page: location.pathname,
      asked: asked.join(','),
      views: service ? service.getAllManagedViewers().map(view) : [],
      annotations: service ? service.getAnnotations().map(annotation) : [],
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
