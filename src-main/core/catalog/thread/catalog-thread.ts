// The entry of the catalog's worker thread; the main thread's side of it is catalog-worker.ts.
import { workerData } from 'node:worker_threads'

import { serveThread } from '../../lifecycle/thread-ends'
import type { Transfer } from '../registry/registry-transfer'
import { CallsUnderWay } from './calls-under-way'
import type { CatalogCalls, CatalogThreadOptions, HostCalls } from './catalog-calls'
import { CatalogService } from './catalog-service'

const { folder, bounds, sources } = workerData as CatalogThreadOptions
const underWay = new CallsUnderWay()
const calls: CatalogCalls = {
  setSources: (list) => service.setSources(list),
  seed: (sourceId, documents) => service.seed(sourceId, documents),
  sources: () => service.sources(),
  prepareSearch: () => service.prepareSearch(),
  search: (query) => service.search(query),
  statuses: (names) => service.statuses(names),
  read: (key) => service.read(key),
  sync: (id, order) => underWay.run(id, (signal) => service.sync(order, signal)),
  versions: (id, request) => underWay.run(id, (signal) => service.versions(request, signal)),
  cancel: (id) => underWay.cancel(id),
  close: async () => {
    underWay.cancelAll()
    await service.idle()
    service[Symbol.dispose]()
  },
}
const host = serveThread<HostCalls, CatalogCalls>(calls, [
  ...(['progress', 'setAside', 'cancelTransfer'] as const),
])
const service = new CatalogService({
  folder,
  bounds,
  transfer: transferBy(host),
  onProgress: (progress) => void host.progress(progress),
  onSetAside: (reason) => void host.setAside(reason),
})
if (sources) await service.setSources(sources)

/** The main thread sends what this one asks for; the id lets it be called off. */
function transferBy(host: Pick<HostCalls, 'transfer' | 'cancelTransfer'>): Transfer {
  let last = 0
  return async (request, signal) => {
    last += 1
    const id = last
    const cancel = () => host.cancelTransfer(id)
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await host.transfer(id, request)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }
}
