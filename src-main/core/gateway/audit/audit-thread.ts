// The entry of the thread that keeps calls; the main thread's side of it is call-audit.ts.
import { parentPort, workerData } from 'node:worker_threads'

import { createBirpc } from 'birpc'

import type { AuditCalls, AuditHostCalls, AuditThreadOptions } from './audit-calls'
import { AuditStore } from './audit-store'

if (!parentPort) throw new Error('This file is the entry of a worker thread.')
serveAudit(parentPort, workerData as AuditThreadOptions)

function serveAudit(port: NonNullable<typeof parentPort>, options: AuditThreadOptions): void {
  let opened: AuditStore | undefined
  // With each call again: a disk that was full may have room now.
  const store = (): AuditStore =>
    (opened ??= new AuditStore({ ...options, onLost: (loss) => void host.lost(loss) }))
  const calls: AuditCalls = {
    append: (list, keepFrom) => store().append(list, keepFrom),
    page: (query, keepFrom) => ({ ...store().page(query, keepFrom), state: store().state }),
    counts: (span) => store().counts(span),
    export: (filter, keepFrom) => store().export(filter, keepFrom),
    prune: (keepFrom) => store().prune(keepFrom),
    clear: () => store().clear(),
    close: () => opened?.[Symbol.dispose](),
  }
  const host = createBirpc<AuditHostCalls, AuditCalls>(calls, {
    post: (message) => port.postMessage(message),
    on: (listen) => void port.on('message', listen),
    eventNames: ['lost'],
    timeout: -1,
  })
}
