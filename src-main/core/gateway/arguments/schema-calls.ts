import type { SchemaProblem } from '../../../../src-shared/domain/agents/trial'

/** What the thread that checks values against schemas answers. */
export type SchemaCalls = {
  /** As `findFaults`; rejects where that cannot be told. */
  readonly findFaults: (schema: unknown, args: object) => string[]
  /** As `findProblems` for the structured content of a result, which comes as JSON text; rejects where that cannot be told. */
  readonly findProblems: (schema: unknown, result: string) => SchemaProblem[]
}
