import { SECRET_MASK } from '../../../../src-shared/domain/installation/launch-plan'
import { namesSecret } from '../../../../src-shared/domain/secret-name'

/** Words that name a secret elsewhere, and of arguments most often the key of an entry. */
const PLAIN_KEYS = new Set(['key', 'keys'])

/** Arguments as JSON text, with the values of fields whose names say that they are secrets masked; what is known as a secret is masked by `mask` wherever it stands. */
export function maskedArguments(
  args: unknown,
  mask: (text: string) => string,
  indent?: number,
): string {
  const text = JSON.stringify(args, maskSecretField, indent) as string | undefined
  return text === undefined ? '' : mask(text)
}

function maskSecretField(key: string, value: unknown): unknown {
  const isLeaf = typeof value === 'string' || typeof value === 'number'
  if (!isLeaf || PLAIN_KEYS.has(key.toLowerCase()) || !namesSecret(key)) return value
  return SECRET_MASK
}
