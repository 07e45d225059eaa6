import type { ToolRunOutcome } from '../../../src-shared/domain/agents/tool-run'
import { messageOf } from '../failure/describe-failure'
import type { ResultText } from '../mcp/json/result-text'

export type OutputCheck = NonNullable<Extract<ToolRunOutcome, { kind: 'result' }>['checked']>

const NOTHING_GIVEN = 'The tool has an output schema but returned no structured content.'

/**
 * Validates what a tool answers against its output schema (MCP, tools, structured content). Undefined where there is nothing
 * to validate: no schema, or a tool that failed. Never rejects.
 */
export async function checkOutput(
  schema: unknown,
  { result }: Pick<ResultText, 'result'>,
): Promise<OutputCheck | undefined> {
  const { structuredContent, isError } = result
  if (schema === undefined || isError === true) return undefined
  if (structuredContent === undefined)
    return { isChecked: true, problems: [{ path: '', message: NOTHING_GIVEN }] }
  try {
    // Loaded with the first check: most starts of the app have none.
    const { findProblems } = await import('../gateway/arguments/schema-check')
    return { isChecked: true, problems: findProblems(schema, structuredContent) }
  } catch (error) {
    const why = `The structured content was not checked: ${messageOf(error)}.`
    return { isChecked: false, problems: [], why }
  }
}
