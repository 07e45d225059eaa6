import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import type { Remote } from '../../../../src-shared/domain/server-json/server-json'
import { fillTemplate, placeholders } from '../../../../src-shared/domain/server-json/template'
import { remoteAddress } from '../../../../src-shared/form/remote-inputs'
import { toRemoteFields } from '../../../../src-shared/form/to-form-fields'
import type { LaunchText, RemotePlan } from '../plan/launch-plan'
import { resolveHeaders } from './resolve-arguments'
import { filledForm, resolveInput } from './resolve-input'

/**
 * The exact address and headers for a remote and the person's values. `secrets` holds the values of secret
 * fields by key. Says nothing of missing values: `findProblems` does.
 */
export function buildRemotePlan(
  remote: Remote,
  values: FieldValues,
  secrets: ReadonlyMap<string, string>,
): RemotePlan {
  const form = filledForm(toRemoteFields(remote), values, secrets)
  const [url] = resolveInput(remoteAddress(remote), { place: 'url', index: 0 }, form)
  const address = url ?? unfilled(remote)
  return {
    kind: 'remote',
    type: remote.type,
    url: address,
    headers: resolveHeaders(remote.headers, form),
    warnings: addressWarnings(address),
  }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

function addressWarnings({ value, shown }: LaunchText): string[] {
  if (placeholders(value).length > 0) return []
  if (!URL.canParse(value)) return [`"${shown}" isn’t a URL.`]
  const { protocol, hostname } = new URL(value)
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) return []
  return protocol === 'http:'
    ? [
        'The URL starts with http:, so anyone on the network path can read what is sent, including secrets.',
      ]
    : [`"${shown}" isn’t a URL.`]
}

/** As long as nothing is filled in: the template, in which what is needed keeps its brace. */
function unfilled({ url: template, variables = {} }: Remote): LaunchText {
  const url = fillTemplate(template, (name) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined
    if (variable === undefined) return undefined
    return variable.value ?? (variable.isRequired ? undefined : '')
  })
  const origin = { kind: 'fixed', label: 'Fixed by the entry' } as const
  return { value: url, shown: url, fingerprint: url, secret: false, origin }
}
