import type {
  CustomServer,
  CustomServerText,
  TextSegment,
} from '../domain/installation/custom-server'
import { placeAt, type SecretPlaces } from '../domain/installation/secret-place'
import { findOffer, type OfferRef } from '../domain/server-json/offer'
import type { Argument, KeyValueInput, ServerJson } from '../domain/server-json/server-json'
import type { FieldTarget, FormField } from './form-field'
import { isFixed, templateVariables } from './input-template'
import { remoteAddress } from './remote-inputs'
import { fieldsOfOffer } from './to-form-fields'

type Input = Argument | KeyValueInput
type Reader = (input: Input, target: FieldTarget) => CustomServerText

/**
 * Returns the parts of a server that `toServerJson` wrote; undefined if there is no such offer. `secrets` has the locations of its secrets.
 */
export function segmentsOf(
  server: Pick<ServerJson, 'packages' | 'remotes'>,
  ref: OfferRef,
  secrets: SecretPlaces,
): CustomServer | undefined {
  const offer = findOffer(server, ref)
  if (offer === undefined) return undefined
  const fields = fieldsOfOffer(offer)
  const read: Reader = (input, target) => textOf(input, target, fields, secrets)
  if (offer.kind === 'remote') {
    const { remote } = offer
    return {
      kind: 'address',
      type: remote.type,
      url: read(remoteAddress(remote), { place: 'url', index: 0 }),
      headers: remote.headers.map((input, index) => ({
        name: input.name,
        value: read(input, { place: 'headers', index }),
      })),
    }
  }
  const { pkg } = offer
  return {
    kind: 'command',
    command: pkg.identifier,
    args: pkg.packageArguments.map((input, index) =>
      read(input, { place: 'packageArguments', index }),
    ),
    env: pkg.environmentVariables.map((input, index) => ({
      name: input.name,
      value: read(input, { place: 'environmentVariables', index }),
    })),
  }
}

function textOf(
  input: Input,
  target: FieldTarget,
  fields: readonly FormField[],
  secrets: SecretPlaces,
): CustomServerText {
  const secretAt = (variable?: string): TextSegment => {
    const field = fields.find(
      (one) =>
        one.target.place === target.place &&
        one.target.index === target.index &&
        one.target.variable === variable,
    )
    if (field === undefined) return { kind: 'secret', secret: '' }
    const place = placeAt(secrets, field.key)
    if (place?.kind === 'stored' || place?.kind === 'environment') return place
    return place ? { kind: 'saved', fieldKey: field.key } : { kind: 'secret', secret: '' }
  }
  if (!isFixed(input)) return [secretAt()]
  const names = templateVariables(input).map(({ name }) => name)
  return splitTemplate(input.value ?? '', names).map((part) =>
    part.isName ? secretAt(part.text) : { kind: 'text', text: part.text },
  )
}

type TemplatePart = { readonly text: string; readonly isName: boolean }

function splitTemplate(template: string, names: readonly string[]): TemplatePart[] {
  const parts: TemplatePart[] = []
  let from = 0
  for (const { index, 0: whole } of template.matchAll(/\{[^{}]+\}/g)) {
    const name = whole.slice(1, -1)
    if (!names.includes(name)) continue
    if (index > from) parts.push({ text: template.slice(from, index), isName: false })
    parts.push({ text: name, isName: true })
    from = index + whole.length
  }
  if (from < template.length) parts.push({ text: template.slice(from), isName: false })
  return parts
}
