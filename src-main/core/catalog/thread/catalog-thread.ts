// Entry of the catalog's worker thread; catalog-worker.ts is the main thread's side.
import { workerData } from 'node:worker_threads'

import { background } from '../../lifecycle/background'
import { mainEnd } from '../../lifecycle/thread-ends'
import { CatalogService } from './catalog-service'
import type { CatalogHostCalls, CatalogThreadOptions } from './catalog-worker'

const { folder, retry, sources } = workerData as CatalogThreadOptions
const end = mainEnd<CatalogHostCalls>()
const { transfer, progress, setAside } = end.remote
const service = new CatalogService({
  ...{ folder, retry, transfer },
  onProgress: (one) => background(progress(one), 'progress of a sync'),
  onDiscard: (reason) => background(setAside(reason), 'a catalog file that was moved'),
})
if (sources) await service.setSources(sources)
end.serve(service)
