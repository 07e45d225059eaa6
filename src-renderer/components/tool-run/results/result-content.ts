import * as z from 'zod'

/** Kind of a content block; `other` for any unknown kind. */
type ContentKind = 'text' | 'image' | 'audio' | 'link' | 'resource' | 'other'

/** One content block of a result (MCP, ContentBlock, ResourceContents). All texts come from the server. */
export type ContentItem = {
  readonly kind: ContentKind
  /** JSON pointer of the block in the result. */
  readonly pointer: string
  /** Role of a prompt message. */
  readonly role?: string
  readonly text?: string
  /** Base64. */
  readonly data?: string
  readonly mimeType?: string
  readonly uri?: string
  readonly name?: string
  readonly title?: string
  readonly description?: string
  /** In bytes, as reported by the server. */
  readonly size?: string
  /** Audience and priority, as reported by the server. */
  readonly audience?: readonly string[]
  readonly priority?: string
}

/** The content of a result. */
export type ResultContent = {
  readonly items: readonly ContentItem[]
  readonly hasStructured: boolean
  /** Description of a prompt. */
  readonly description?: string
}

/** Maximum shown length of a name or an address, in UTF-16 units. */
const SHORT = 2_000

const KINDS: ReadonlyMap<string | undefined, ContentKind> = new Map([
  ['text', 'text'],
  ['image', 'image'],
  ['audio', 'audio'],
  ['resource_link', 'link'],
  ['resource', 'resource'],
])

// An invalid member counts as missing.
const Text = z.string().optional().catch(undefined)
const Short = z
  .string()
  .transform((text) => text.slice(0, SHORT))
  .optional()
  .catch(undefined)
const Digits = z.number().transform(String).optional().catch(undefined)
const List = z.array(z.unknown()).optional().catch(undefined)
const Any = z.unknown().optional()

/** Audience of a block, at most four entries. */
const Audience = z
  .array(z.unknown())
  .transform((all) => {
    const known = all.slice(0, 4).filter((one) => typeof one === 'string')
    return known.length === 0 ? undefined : known.map((one) => one.slice(0, 40))
  })
  .optional()
  .catch(undefined)

const Block = z.object({
  ...{ type: Text, text: Text, data: Text, blob: Text, mimeType: Short, uri: Short },
  ...{ name: Short, title: Short, description: Short, size: Digits, resource: Any },
  annotations: z.object({ audience: Audience, priority: Digits }).optional().catch(undefined),
})
const Message = z.object({ role: Short, content: Any })
const Result = z.object({
  ...{ content: Any, contents: List, messages: List },
  ...{ description: Short, structuredContent: Any },
})

type LocatedBlock = {
  readonly value: unknown
  readonly pointer: string
  readonly role?: string
  readonly isContents?: boolean
}

function present<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }
}

function blocks(value: unknown, pointer: string, role?: string): LocatedBlock[] {
  if (value === undefined) return []
  const more = role === undefined ? {} : { role }
  if (!Array.isArray(value)) return [{ value, pointer, ...more }]
  return value.map((block: unknown, at) => ({ value: block, pointer: `${pointer}/${at}`, ...more }))
}

function message(value: unknown, pointer: string): LocatedBlock[] {
  const { role = '', content } = Message.safeParse(value).data ?? {}
  const found = blocks(content, `${pointer}/content`, role)
  return found.length > 0 ? found : [{ value, pointer, role }]
}

function itemOf({ value, pointer, role, isContents = false }: LocatedBlock): ContentItem {
  const block = Block.safeParse(value).data
  const kind = isContents ? 'resource' : (KINDS.get(block?.type) ?? 'other')
  const embedded = kind === 'resource' ? Block.safeParse(block?.resource).data : undefined
  const holder: Partial<z.infer<typeof Block>> = (isContents ? undefined : embedded) ?? block ?? {}
  const { text, blob, data = blob, mimeType, uri, name, title, description, size } = holder
  const item = {
    ...{ kind, pointer },
    ...present({ role, text, data, mimeType, uri, name, title, description, size }),
    ...present(block?.annotations ?? {}),
  }
  const needed = NEEDS[kind]
  const isComplete = needed.length === 0 || needed.some((member) => item[member] !== undefined)
  return isComplete ? item : { ...item, kind: 'other' }
}

/** Members of which a block needs at least one to be shown as its kind. */
const NEEDS: Readonly<Record<ContentKind, readonly ('text' | 'data' | 'uri')[]>> = {
  ...{ text: ['text'], image: ['data'], audio: ['data'], link: ['uri'] },
  ...{ resource: ['text', 'data'], other: [] },
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Reads the content of the result of a call, a read or a prompt by its members; undefined for invalid JSON. */
export function readContent(text: string): ResultContent | undefined {
  const json = parsed(text)
  if (json === undefined) return undefined
  const result = Result.safeParse(json).data
  const locatedBlocks = [
    ...blocks(result?.content, '/content'),
    ...(result?.contents ?? []).map((value, at) => ({
      ...{ value, pointer: `/contents/${at}`, isContents: true },
    })),
    ...(result?.messages ?? []).flatMap((value, at) => message(value, `/messages/${at}`)),
  ]
  return {
    items: locatedBlocks.map(itemOf),
    hasStructured: result?.structuredContent !== undefined,
    ...present({ description: result?.description }),
  }
}
