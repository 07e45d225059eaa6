import type { Tool } from '../../../../src-shared/domain/agents/capability'
import type { SecurityWarning } from '../../../../src-shared/domain/agents/tools'
import { hiddenIn } from './hidden-text'
import { likeEachOther } from './look-alikes'
import { ordersIn } from './model-orders'
import { textsOf, type ToolText } from './tool-texts'
import { writtenOut } from './written-out'

/** Characters of one text that are looked at. */
const TEXT_CHARACTERS = 20_000
/** What is looked at of one tool, and of a listing: some tenths of a second. Characters, and 10 more for each value. */
const TOOL_COST = 1_000_000
const LISTING_COST = 2_000_000
/** Doubts of one tool; nobody reads more. */
const MAX_WARNINGS = 20
const SHOWN_PLACE = 120
/** Characters of the shortest text that any of the patterns of orders fits. */
const SHORTEST_ORDER = 4

/** What a person should look at in the texts of each tool of a listing, in its order. See `docs/decisions/0023-trust-pins.md`. */
export function findSecurityWarnings(tools: readonly Tool[]): SecurityWarning[][] {
  const alike = likeEachOther(tools.map(({ name }) => name))
  let left = LISTING_COST
  return tools.map((tool, index) => {
    const { texts, isWhole, cost } = textsOf(tool, Math.min(left, TOOL_COST))
    left -= cost
    const other = alike[index]
    const securityWarnings = [
      ...(isWhole ? [] : [TOO_LONG]),
      ...(other === undefined ? [] : [lookAlike(tool.name, other)]),
    ]
    for (const text of texts) {
      if (securityWarnings.length >= MAX_WARNINGS) break
      securityWarnings.push(...textWarnings(text))
    }
    return securityWarnings.slice(0, MAX_WARNINGS)
  })
}

const TOO_LONG: SecurityWarning = {
  kind: 'instruction',
  where: '',
  message: 'The definition is too long to check completely. The end was not checked.',
}

function lookAlike(name: string, other: string): SecurityWarning {
  return {
    kind: 'lookAlike',
    where: 'name',
    message: `The name “${writtenOut(name)}” looks like “${writtenOut(other)}” of the same server.`,
  }
}

function textWarnings({ where, text }: ToolText): SecurityWarning[] {
  const read = text.slice(0, TEXT_CHARACTERS)
  const orders = read.length < SHORTEST_ORDER ? [] : ordersIn(read)
  if (text.length > TEXT_CHARACTERS)
    orders.push(
      `The text has ${text.length.toLocaleString()} characters; only the first ${TEXT_CHARACTERS.toLocaleString()} were checked.`,
    )
  return [
    ...hiddenIn(read).map((message): SecurityWarning => ({
      kind: 'invisible',
      ...at(where),
      message,
    })),
    ...orders.map((message): SecurityWarning => ({ kind: 'instruction', ...at(where), message })),
  ]
}

function at(where: string): Pick<SecurityWarning, 'where'> {
  return { where: writtenOut(where, SHOWN_PLACE) }
}
