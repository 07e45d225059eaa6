// The entry of the thread that stores calls; the main thread's side of it is call-audit.ts.
import { workerData } from 'node:worker_threads'

import { serveThread } from '../../lifecycle/thread-ends'
import type { AuditLoss } from './audit-call'
import { AuditStore, type AuditStoreOptions } from './audit-store'

/** What the main thread calls. */
export type AuditCalls = Pick<AuditStore, 'append' | 'page' | 'counts' | 'export' | 'clear'> & {
  close(): void
}

/** What this thread calls. */
export type AuditHostCalls = { lost(loss: AuditLoss): void }

let opened: AuditStore | undefined
const host = serveThread<AuditHostCalls, AuditCalls>(
  {
    append: (calls, keepFrom) => store().append(calls, keepFrom),
    page: (query, keepFrom) => store().page(query, keepFrom),
    counts: (now) => store().counts(now),
    export: (filter, keepFrom) => store().export(filter, keepFrom),
    clear: () => store().clear(),
    close: () => opened?.[Symbol.dispose](),
  },
  ['lost'],
)

/** Opened with the next call again where that failed: a disk that was full may have room now. */
function store(): AuditStore {
  const options = workerData as Omit<AuditStoreOptions, 'onLost'>
  return (opened ??= new AuditStore({ ...options, onLost: (loss) => void host.lost(loss) }))
}
