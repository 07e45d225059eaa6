import type {
  ActivityCounts,
  ActivityPage,
  ActivityPart,
  ActivityQuery,
  ActivityState,
} from '../../../../src-shared/domain/agents/activity'
import type { AuditLoss } from './audit-file'
import type { NewCall } from './audit-row'
import type { AuditBounds } from './audit-store'
import type { CallFilter } from './audit-where'
import type { CountSpan } from './count-calls'

/** What the main thread asks of the one that keeps calls; `keepFrom` (epoch ms) is how far back they are kept. */
export type AuditCalls = {
  append(calls: readonly NewCall[], keepFrom: number): ActivityState
  page(query: ActivityQuery, keepFrom: number): ActivityPage & { readonly state: ActivityState }
  counts(span: CountSpan): ActivityCounts
  export(filter: CallFilter, keepFrom: number): ActivityPart
  prune(keepFrom: number): ActivityState
  clear(): ActivityState
  close(): void
}

/** What the thread that keeps calls tells the main thread. */
export type AuditHostCalls = {
  /** Calls of before are gone. */
  lost(loss: AuditLoss): void
}

/** What the thread that keeps calls starts with. */
export type AuditThreadOptions = { readonly folder: string; readonly bounds: AuditBounds }
