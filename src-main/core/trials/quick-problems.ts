import type { SchemaProblem } from '../../../src-shared/domain/agents/trial'
import { findProblems } from '../gateway/arguments/find-faults'
import { isQuick } from '../gateway/arguments/is-quick'
import { prepareSchema } from '../gateway/arguments/prepared-schema'

/** As `findProblems`; undefined where that may take longer than the main thread has. */
export function quickProblems(schema: unknown, content: unknown): SchemaProblem[] | undefined {
  const prepared = prepareSchema(schema)
  return isQuick(prepared, content) ? findProblems(prepared, content) : undefined
}
