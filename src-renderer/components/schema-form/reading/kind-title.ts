import { resolveRef } from '../../../../src-shared/json-schema/resolve-ref'
import { isJsonObject, type JsonObject, textsOf } from './json-object'
import { TYPE_TITLE } from './one-kind'

const LONGEST = 60

/** What a kind says of itself by a member that can only be one thing: `circle` for `{kind: {const: "circle"}}`. */
function discriminator({ properties }: JsonObject): string | undefined {
  if (!isJsonObject(properties)) return undefined
  for (const member of Object.values(properties)) {
    if (!isJsonObject(member)) continue
    const { const: only, enum: all } = member
    const [first, ...others] = Array.isArray(all) ? (all as unknown[]) : [only]
    if (typeof first === 'string' && others.length === 0) return first
  }
  return undefined
}

function refName(ref: unknown): string | undefined {
  const last = typeof ref === 'string' ? ref.split('/').at(-1) : undefined
  return last === undefined || last === '#' || last === '' ? undefined : last
}

/** What one of several kinds is called, for one that has no title: by what tells it from the others. */
export function kindTitle(kind: unknown, root: unknown): string | undefined {
  if (!isJsonObject(kind)) return undefined
  const target = kind.$ref === undefined ? kind : resolveRef(root, kind.$ref)
  const schema = isJsonObject(target) ? target : kind
  if (typeof schema.title === 'string') return schema.title
  const { type, required } = schema
  const names = textsOf(required)
  const found =
    discriminator(schema) ??
    refName(kind.$ref) ??
    (names.length > 0 && type !== 'array' ? `With ${names.join(', ')}` : undefined) ??
    (typeof type === 'string' ? TYPE_TITLE[type] : undefined)
  return found?.slice(0, LONGEST)
}
