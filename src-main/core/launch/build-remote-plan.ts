import type { FieldValues } from '../../../src-shared/domain/field-values'
import type { Remote } from '../../../src-shared/domain/server-json'
import { remoteAddress } from '../../../src-shared/form/remote-inputs'
import { toRemoteFields } from '../../../src-shared/form/to-form-fields'
import type { RemotePlan } from './launch-plan'
import { declaredText } from './resolve-arguments'
import { resolveInput } from './resolve-input'

/**
 * The exact address and headers for a remote and the person's values. `secrets` holds the values of secret
 * fields by key. Says nothing of missing values: `findProblems` does.
 */
export function buildRemotePlan(
  remote: Remote,
  values: FieldValues,
  secrets: ReadonlyMap<string, string>,
): RemotePlan {
  const form = { fields: toRemoteFields(remote), values, secrets }
  const [url] = resolveInput(remoteAddress(remote), { place: 'url', index: 0 }, form)
  const headers = remote.headers.flatMap((header, index) =>
    resolveInput(header, { place: 'headers', index }, form)
      .slice(0, 1)
      .map((text) => ({ ...text, name: header.name, declared: declaredText(header) })),
  )
  return {
    kind: 'remote',
    type: remote.type,
    url: url ?? unfilled(remote.url),
    headers,
    warnings: [],
  }
}

/** The template itself, as long as none of its variables has a value. */
function unfilled(url: string): RemotePlan['url'] {
  const origin = { kind: 'fixed', label: 'Fixed by the entry' } as const
  return { value: url, shown: url, fingerprint: url, secret: false, origin }
}
