// The entry of the thread that keeps calls; the main thread's side of it is call-audit.ts.
import { workerData } from 'node:worker_threads'

import { serveThread } from '../../lifecycle/thread-ends'
import type { AuditCalls, AuditHostCalls, AuditThreadOptions } from './audit-calls'
import { AuditStore } from './audit-store'

let opened: AuditStore | undefined
const calls: AuditCalls = {
  append: (list, keepFrom) => store().append(list, keepFrom),
  page: (query, keepFrom) => ({ ...store().page(query, keepFrom), state: store().state }),
  counts: (span) => store().counts(span),
  export: (filter, keepFrom) => store().export(filter, keepFrom),
  prune: (keepFrom) => store().prune(keepFrom),
  clear: () => store().clear(),
  close: () => opened?.[Symbol.dispose](),
}
const host = serveThread<AuditHostCalls, AuditCalls>(calls, ['lost'])

/** With each call again: a disk that was full may have room now. */
function store(): AuditStore {
  const options = workerData as AuditThreadOptions
  return (opened ??= new AuditStore({ ...options, onLost: (loss) => void host.lost(loss) }))
}
