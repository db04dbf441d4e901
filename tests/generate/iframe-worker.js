// The search of the site runs in a worker, which browsers refuse to a page that was opened from a disk. There a frame
// that nobody sees takes the worker's place: the worker's script finds in it what it asks of a worker. Pages from a
// server keep their workers.
window.IFrameWorker = class extends EventTarget {
  constructor(address) {
    super();
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.append(frame);
    const inside = (this.inside = frame.contentWindow), own = frame.contentDocument;
    const load = (source) => new Promise((resolve, reject) => {
      const script = own.createElement("script");
      Object.assign(script, { src: source, onload: resolve, onerror: () => reject(new Error(source)) });
      own.body.append(script);
    });
    inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
    inside.importScripts = (...sources) => sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve());
    this.ready = load(new URL(address, document.baseURI).href);
  }

  set onmessage(act) { this.addEventListener("message", (event) => act(event)); }

  postMessage(data) {
    this.ready.then(() => this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data })));
  }

  terminate() {}
};
if (location.protocol === "file:") window.Worker = window.IFrameWorker;
