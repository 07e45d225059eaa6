// Entry of the worker thread that stores calls; call-audit.ts is its counterpart on the main thread.
import { workerData } from 'node:worker_threads'

import { background } from '../../lifecycle/background'
import { mainEnd } from '../../lifecycle/thread-ends'
import type { AuditLoss } from './audit-call'
import { AuditStore } from './audit-store'

export type AuditCalls = Pick<
  AuditStore,
  'append' | 'page' | 'calls' | 'counts' | 'clear' | 'close'
>

export type AuditHostCalls = { lost(loss: AuditLoss): void }

const { folder } = workerData as { readonly folder: string }
const end = mainEnd<AuditHostCalls>()
end.serve(new AuditStore(folder, (loss) => background(end.remote.lost(loss), 'lost calls')))
