import type { Tool } from '../../../../src-shared/domain/agents/capability'
import { isJsonObject, type JsonObject } from '../../../../src-shared/domain/json-object'
import type { VetFinding } from '../../../../src-shared/domain/vet/vet-report'
import { agentDefinition } from '../../tools/definitions/agent-definition'
import { modelProblems } from '../../tools/definitions/model-schema'
import { findSecurityWarnings } from '../../tools/warnings/security-warnings'
import {
  type Check,
  type CheckOutcome,
  found,
  notChecked,
  PASSED,
  type RunContext,
  SECTIONS,
} from '../check'

/** Function names that the APIs of Claude and OpenAI models accept. */
const MODEL_NAME = /^[\w-]{1,64}$/u
const MODEL_NAME_SECTION = 'https://docs.claude.com/en/docs/agents-and-tools/tool-use'
/** Tokens of a tool list that crowd a model's context, and that are worth knowing. */
const MANY_TOKENS = 10_000
const SOME_TOKENS = 5_000
const NAMED = 8

export const TOOL_CHECKS: readonly Check[] = [
  check({
    id: 'tools.input-schema',
    level: 'must',
    title: 'Every tool has a valid definition.',
    section: SECTIONS.tools,
    inspect: (tools) =>
      tools.flatMap((tool) => {
        const definition = agentDefinition('Tool', tool)
        if ('valid' in definition) return []
        return [
          {
            message: `${tool.name}: ${definition.fault}`,
            received: JSON.stringify(tool),
            fix: 'Give the tool a JSON Schema of type "object" as its inputSchema.',
          },
        ]
      }),
  }),
  check({
    id: 'tools.names',
    level: 'should',
    title: 'Tool names have up to 64 letters, digits, "_" and "-".',
    section: MODEL_NAME_SECTION,
    inspect: (tools) =>
      grouped(
        tools.filter(({ name }) => !MODEL_NAME.test(name)),
        (names) => `Claude and OpenAI models reject these tool names: ${names}.`,
        'Rename them. Clients that rename tools themselves hide this from you.',
      ),
  }),
  check({
    id: 'tools.model-schema',
    level: 'should',
    title: 'The APIs of Claude, OpenAI and Gemini models accept every input schema.',
    section: MODEL_NAME_SECTION,
    inspect: schemaFindings,
  }),
  check({
    id: 'tools.descriptions',
    level: 'should',
    title: 'Every tool has a description.',
    section: SECTIONS.tools,
    inspect: (tools) =>
      grouped(
        tools.filter(({ description = '' }) => description.trim() === ''),
        (names) => `Without a description, a model chooses by the name alone: ${names}.`,
        'Say in a sentence what the tool does and when to use it.',
      ),
  }),
  check({
    id: 'tools.parameters',
    level: 'note',
    title: 'Every parameter has a description.',
    section: SECTIONS.tools,
    inspect: parameterFindings,
  }),
  check({
    id: 'tools.annotations',
    level: 'should',
    title: 'Every tool says whether it only reads.',
    section: `${SECTIONS.tools}#tool`,
    inspect: (tools) =>
      grouped(
        tools.filter(({ annotations }) => annotations?.readOnlyHint === undefined),
        (names, count) =>
          `${String(count)} of ${String(tools.length)} tools have no readOnlyHint, so apps ask the user about each call: ${names}.`,
        'Set readOnlyHint, and destructiveHint where it is false.',
      ),
  }),
  {
    id: 'tools.tokens',
    level: 'should',
    title: 'The tool list takes at most 10,000 tokens of a model’s context.',
    needs: ['running'],
    run: tokens,
  },
  {
    id: 'tools.hidden-text',
    level: 'must',
    title: 'No definition hides text from its reader.',
    needs: ['running'],
    run: ({ run }) => textOutcome(run.session.capabilities.tools, true),
  },
  {
    id: 'tools.instructions',
    level: 'note',
    title: 'No definition instructs the model beyond the use of its tool.',
    needs: ['running'],
    run: ({ run }) => textOutcome(run.session.capabilities.tools, false),
  },
]

function check(
  row: Omit<Check, 'run' | 'needs'> & {
    readonly inspect: (tools: readonly Tool[]) => VetFinding[]
  },
): Check {
  const { inspect, ...rest } = row
  return {
    ...rest,
    needs: ['running'],
    run: ({ run }) => {
      const { tools } = run.session.capabilities
      return tools.length === 0 ? NO_TOOLS : found(inspect(tools))
    },
  }
}

const NO_TOOLS = notChecked('The server lists no tools.')

/** One finding for all tools of a kind, with their names. */
function grouped(
  tools: readonly Tool[],
  message: (names: string, count: number) => string,
  fix: string,
): VetFinding[] {
  if (tools.length === 0) return []
  return [{ message: message(named(tools.map(({ name }) => name)), tools.length), fix }]
}

function named(names: readonly string[]): string {
  const more = names.length - NAMED
  const list = names.slice(0, NAMED).join(', ')
  return more > 0 ? `${list} and ${String(more)} more` : list
}

/** One finding per problem, with the affected tools. */
function schemaFindings(tools: readonly Tool[]): VetFinding[] {
  const byProblem = new Map<string, Tool[]>()
  for (const tool of tools)
    for (const problem of problemsOf(tool))
      byProblem.set(problem, [...(byProblem.get(problem) ?? []), tool])
  return [...byProblem].map(([problem, having]) => ({
    message: `${problem} ${having.length === 1 ? 'Tool' : `${String(having.length)} tools`}: ${named(having.map(({ name }) => name))}.`,
    received: JSON.stringify(having[0]?.inputSchema),
    fix: 'Write the schema without it. Apps that call the API directly can’t use the tool.',
  }))
}

/** An invalid schema is another check's finding. */
function problemsOf(tool: Tool): string[] {
  const isValid = 'valid' in agentDefinition('Tool', tool)
  return isValid && isJsonObject(tool.inputSchema) ? modelProblems(tool.inputSchema) : []
}

function parameterFindings(tools: readonly Tool[]): VetFinding[] {
  const all = tools.flatMap(({ name, inputSchema }) =>
    Object.entries(propertiesOf(inputSchema)).map(([key, schema]) => ({
      path: `${name}.${key}`,
      schema,
    })),
  )
  const bare = all.filter(({ schema }) => !hasDescription(schema))
  if (bare.length === 0) return []
  const message = `${String(bare.length)} of ${String(all.length)} parameters have no description: ${named(bare.map(({ path }) => path))}.`
  return [{ message, fix: 'Describe what each parameter means, with its format or an example.' }]
}

function propertiesOf(schema: unknown): JsonObject {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {}
}

/** A reference may lead to the description. */
function hasDescription(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false
  return typeof schema.description === 'string' || typeof schema.$ref === 'string'
}

async function tokens({ run, countTokens }: RunContext): Promise<CheckOutcome> {
  const { tools } = run.session.capabilities
  if (tools.length === 0) return NO_TOOLS
  // The part of a tool that a model gets.
  const texts = tools.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, input_schema: inputSchema }),
  )
  const counts = await countTokens(texts)
  const sum = counts.reduce((one, other) => one + other, 0)
  if (sum <= SOME_TOKENS) return PASSED
  const largest = tools
    .map(({ name }, index) => ({ name, count: counts[index] ?? 0 }))
    .toSorted((one, other) => other.count - one.count)
    .slice(0, 5)
    .map(({ name, count }) => `${name} (${count.toLocaleString('en-US')})`)
  const message = `The list of ${String(tools.length)} tools takes about ${sum.toLocaleString('en-US')} tokens of every conversation. Largest: ${largest.join(', ')}.`
  const fix = 'Shorten descriptions and schemas, or let users choose groups of tools.'
  const level = sum > MANY_TOKENS ? 'should' : 'note'
  return { kind: 'found', level, findings: [{ message, fix }] }
}

function textOutcome(tools: readonly Tool[], isHidden: boolean): CheckOutcome {
  if (tools.length === 0) return NO_TOOLS
  const warnings = findSecurityWarnings(tools)
  return found(
    tools.flatMap(({ name }, index) =>
      (warnings[index] ?? [])
        .filter(({ kind }) => (kind === 'invisible') === isHidden)
        .map(({ where, message }) => ({
          message: `${name}${where === '' ? '' : `, ${where}`}: ${message}`,
          fix: isHidden
            ? 'Remove what can’t be seen.'
            : 'Say what the tool does, and leave to the model when to use others.',
        })),
    ),
  )
}
