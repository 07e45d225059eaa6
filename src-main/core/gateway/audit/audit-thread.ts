// The entry of the thread that stores calls; the main thread's side of it is call-audit.ts.
import { workerData } from 'node:worker_threads'

import { serveThread } from '../../lifecycle/thread-ends'
import type { AuditLoss } from './audit-call'
import { AuditStore } from './audit-store'

export type AuditCalls = Pick<AuditStore, 'append' | 'page' | 'calls' | 'counts' | 'clear'> & {
  close(): void
}

export type AuditHostCalls = { lost(loss: AuditLoss): void }

const { folder } = workerData as { readonly folder: string }
const store = new AuditStore(folder, (loss) => void host.lost(loss))
const host = serveThread<AuditHostCalls, AuditCalls>(
  {
    append: (calls, keepFrom) => store.append(calls, keepFrom),
    page: (query, keepFrom) => store.page(query, keepFrom),
    calls: (query, keepFrom) => store.calls(query, keepFrom),
    counts: (now) => store.counts(now),
    clear: () => store.clear(),
    close: () => store[Symbol.dispose](),
  },
  ['lost'],
)
