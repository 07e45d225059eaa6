import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { type FullMask, maskJson } from '../../masking/mask-json'
import { identityOf } from '../../mcp/json/definition-identity'
import type { StoredListing } from './listing-files'

const MAX_NAMED = 5
const MAX_NAME_LENGTH = 60

/**
 * Masks the server's known secrets in its titles, descriptions, defaults and instructions, and adds a notice and the original tools'
 * identities. Names and addresses stay, because calls need them. Returns the same object if there is no secret.
 */
export function maskedListing(listing: StoredListing, mask: FullMask): StoredListing {
  const { capabilities, instructions } = listing
  if (mask.forms.length === 0) return listing
  const json = JSON.stringify([capabilities, instructions])
  if (maskJson(json, mask) === json) return listing
  const found: string[] = []
  const masked = <T extends object>(element: T, name: string, kept: Partial<T>): T => {
    const now = { ...(maskedValue(element, mask) as T), ...kept }
    if (JSON.stringify(now) !== JSON.stringify(element)) found.push(name)
    return now
  }
  const { tools, resources, resourceTemplates, prompts, notices, longNumbers } = capabilities
  const shown = {
    ...capabilities,
    tools: tools.map((tool) => masked(tool, tool.name, { name: tool.name })),
    resources: resources.map((one) => masked(one, one.name, { name: one.name, uri: one.uri })),
    resourceTemplates: resourceTemplates.map((one) => {
      const { name, uriTemplate } = one
      return masked(one, name, { name, uriTemplate })
    }),
    prompts: prompts.map((one) => {
      const { name, arguments: args } = one
      const kept = args?.map((argument) => {
        return { ...(maskedValue(argument, mask) as typeof argument), name: argument.name }
      })
      return masked(one, name, { name, ...(kept && { arguments: kept }) })
    }),
    ...(longNumbers && {
      longNumbers: longNumbers.filter(({ digits }) => mask.maskWhole(digits) === digits),
    }),
  }
  const usage = instructions === undefined ? undefined : maskedText(instructions, mask)
  if (usage !== instructions) found.push('its instructions')
  return {
    ...listing,
    capabilities: {
      ...shown,
      notices: [...notices.map((one) => maskedText(one, mask)), noticeOf(found)],
    },
    instructions: usage,
    identities: tools.map(identityOf),
  }
}

function maskedValue(value: unknown, mask: FullMask): unknown {
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, mask))
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, maskedValue(one, mask)]),
    )
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string') return value
  const masked = maskedText(text, mask)
  return masked === text ? value : masked
}

/** Also masks secrets in addresses and JSON within the text. */
function maskedText(text: string, mask: FullMask): string {
  return JSON.parse(maskJson(JSON.stringify(text), mask)) as string
}

function noticeOf(found: readonly string[]): string {
  const named = found.slice(0, MAX_NAMED).map((name) => name.slice(0, MAX_NAME_LENGTH))
  const more = found.length > MAX_NAMED ? ', …' : ''
  const where = named.length > 0 ? `: ${named.join(', ')}${more}` : ''
  return `This server puts its own secrets into what it lists${where}. They are masked here and for agents.`
}
