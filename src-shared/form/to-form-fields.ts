import type { Offer } from '../domain/server-json/offer'
import type {
  Argument,
  InputFormat,
  InputVariable,
  KeyValueInput,
  Package,
  Remote,
} from '../domain/server-json/server-json'
import type { FieldTarget, FormField } from './form-field'
import { humanize } from './humanize'
import { isFixed, templateVariables } from './input-template'
import { declaredEnvironment, isSwitch } from './package-inputs'
import { declaredHeaders, remoteAddress } from './remote-inputs'
import { runnerOptionsField } from './runner-options'

type Place = FieldTarget['place']
type Input = Argument | KeyValueInput
type Draft = Omit<FormField, 'key'> & { readonly preferred: string }

const KEY_PREFIX: Record<Place, string> = {
  runtimeArguments: 'run',
  packageArguments: 'arg',
  environmentVariables: 'env',
  headers: 'head',
  url: 'url',
}
const KEY_LENGTH = 100

/** Returns every control of an offer's form. */
export function fieldsOfOffer(offer: Offer): FormField[] {
  return offer.kind === 'package' ? fieldsOfPackage(offer.pkg) : toRemoteFields(offer.remote)
}

/** Returns every control of a package's form: its declared inputs, and the options of its runner. */
export function fieldsOfPackage(pkg: Package): FormField[] {
  const options = runnerOptionsField(pkg)
  return [...toFormFields(pkg), ...(options === undefined ? [] : [options])]
}

/** Returns every control of a remote's form: the variables of its address, then its headers. */
export function toRemoteFields(remote: Remote): FormField[] {
  return withKeys([
    ...fieldsOfInput(remoteAddress(remote), { place: 'url', index: 0 }),
    ...fieldsOfHeaders(remote.headers),
  ])
}

/**
 * Returns the declared controls of a package in launch order: runtime arguments, package arguments, environment, and headers if it serves
 * HTTP.
 */
export function toFormFields(pkg: Package): FormField[] {
  const fields = withKeys([
    ...fieldsOfArguments(pkg, 'runtimeArguments'),
    ...fieldsOfArguments(pkg, 'packageArguments'),
    ...declaredEnvironment(pkg).flatMap(({ input, index }) =>
      fieldsOfInput(input, { place: 'environmentVariables', index }),
    ),
    ...fieldsOfHeaders(pkg.transport.headers),
  ])
  return fields.map((field) => {
    const alternative = alternativeKey(field, fields)
    return alternative === undefined ? field : { ...field, alternativeKey: alternative }
  })
}

function fieldsOfHeaders(headers: readonly KeyValueInput[] | undefined): Draft[] {
  return declaredHeaders(headers).flatMap(({ input, index }) =>
    fieldsOfInput(input, { place: 'headers', index }),
  )
}

function withKeys(drafts: readonly Draft[]): FormField[] {
  const taken = new Set<string>()
  const shared = new Set<string>()
  return drafts
    .filter(({ sharedAs }) => sharedAs === undefined || !hasOrAdd(shared, sharedAs))
    .map(({ preferred, ...field }) => ({ key: claimKey(preferred, taken), ...field }))
}

function hasOrAdd(set: Set<string>, text: string): boolean {
  const isKnown = set.has(text)
  set.add(text)
  return isKnown
}

function fieldsOfArguments(pkg: Package, place: 'runtimeArguments' | 'packageArguments'): Draft[] {
  return pkg[place].flatMap((input, index) =>
    isSwitch(pkg, place, index) ? [] : fieldsOfInput(input, { place, index }),
  )
}

function fieldsOfInput(input: Input, target: FieldTarget): Draft[] {
  const variables = templateVariables(input)
  const declaresRequired = variables.some(({ variable }) => variable.isRequired !== undefined)
  if (variables.length === 0) return isFixed(input) ? [] : [fieldOf(input, input, target)]
  return variables
    .filter(({ variable }) => !isFixed(variable))
    .map(({ name, variable }) => {
      const isOnlyOne = variables.length === 1
      return fieldOf(
        {
          ...variable,
          description: variable.description ?? (isOnlyOne ? input.description : undefined),
          isRequired: variable.isRequired ?? (input.isRequired === true && !declaresRequired),
          isSecret: variable.isSecret === true || input.isSecret === true,
        },
        input,
        { ...target, variable: name },
      )
    })
}

function fieldOf(source: InputVariable, input: Input, target: FieldTarget): Draft {
  const format = formatOf(source, input, target)
  const declared = defaultOf(source)
  const initial = source.format === 'boolean' && 'type' in input ? lowered(declared) : declared
  const secret = source.isSecret === true
  const required = source.isRequired === true
  // A switch always has a value, so a required one without a default starts as off.
  const fallback = format === 'boolean' && required ? 'false' : undefined
  return {
    preferred: source.sharedAs === undefined ? keyOf(input, target) : keyOfShared(source.sharedAs),
    label: source.title ?? labelOf(input, target),
    description: source.description,
    machineName: machineNameOf(input, target),
    control: controlOf(format, source),
    format,
    choices: choicesOf(source),
    default: initial ?? fallback,
    placeholder: source.placeholder,
    required,
    secret,
    repeated: 'isRepeated' in input && input.isRepeated === true,
    target,
    sharedAs: source.sharedAs,
    pathKind: source.pathKind,
    min: source.min,
    max: source.max,
  }
}

const PATH_WORDS = /(^|[^a-z])(dir|director(y|ies)|path|folder)s?$/i

function formatOf(source: InputVariable, input: Input, target: FieldTarget): InputFormat {
  const format = source.format ?? 'string'
  // A default that does not fit shows that the declared format is wrong.
  const declared = defaultOf(source)
  const initial = 'type' in input ? lowered(declared) : declared
  if (!fitsFormat(format, initial)) return 'string'
  const mayBePath = format === 'string' && target.variable === undefined && !source.choices
  return mayBePath && namesFolders(input) ? 'filepath' : format
}

/** Publishers also write `True`. A variable keeps its case: its program may compare it. */
function lowered(text: string | undefined): string | undefined {
  const word = text?.toLowerCase()
  return word === 'true' || word === 'false' ? word : text
}

function fitsFormat(format: InputFormat, initial: string | undefined): boolean {
  if (initial === undefined) return true
  if (format === 'boolean') return initial === 'true' || initial === 'false'
  return format !== 'number' || isNumber(initial)
}

function namesFolders(input: Input): boolean {
  return (
    'type' in input &&
    input.type === 'positional' &&
    input.isRepeated === true &&
    PATH_WORDS.test(input.valueHint ?? '')
  )
}

/** Whether a text is a decimal number, with sign, fraction and exponent. */
export function isNumber(text: string): boolean {
  // The pattern reads each digit in one way only, so that a long text without a number fails fast.
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())
}

function controlOf(format: InputFormat, source: InputVariable): FormField['control'] {
  if (source.choices && source.choices.length > 0) return 'choice'
  switch (format) {
    case 'boolean':
      return 'switch'
    case 'number':
      return 'number'
    case 'filepath':
      return 'path'
    case 'string':
      return 'text'
  }
}

/** A default outside the declared choices comes from the publisher, so it can be chosen too. */
function choicesOf(source: InputVariable): string[] {
  const choices = source.choices ?? []
  const initial = defaultOf(source)
  return choices.length > 0 && initial !== undefined && !choices.includes(initial)
    ? [initial, ...choices]
    : choices
}

/** A default of white space is ignored: it would fill a required field with nothing. */
function defaultOf({ default: declared }: InputVariable): string | undefined {
  return declared?.trim() === '' ? undefined : declared
}

function nameOf(input: Input): string {
  if ('type' in input && input.type === 'positional') return input.valueHint ?? ''
  return input.name
}

function labelOf(input: Input, target: FieldTarget): string {
  const name = target.variable ?? nameOf(input)
  return humanize(name) || name.trim() || `Argument ${target.index + 1}`
}

function machineNameOf(input: Input, target: FieldTarget): string | undefined {
  if (target.variable !== undefined) return `{${target.variable}}`
  return nameOf(input) || undefined
}

function keyOf(input: Input, target: FieldTarget): string {
  const parts = [nameOf(input), target.variable ?? '']
    .map((part) => part.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^[-_]+|[-_]+$/g, ''))
    .filter((part) => part !== '')
  const name = parts.length === 0 ? String(target.index) : [...new Set(parts)].join('_')
  return `${KEY_PREFIX[target.place]}_${name.slice(0, KEY_LENGTH)}`
}

function keyOfShared(sharedAs: string): string {
  return `set_${sharedAs.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, KEY_LENGTH)}`
}

function claimKey(preferred: string, taken: Set<string>): string {
  let key = preferred
  for (let copy = 2; taken.has(key); copy += 1) key = `${preferred}_${copy}`
  taken.add(key)
  return key
}

/**
 * Returns the key of the environment variable that seems to take the same secret as a secret argument: its name contains the argument's
 * words, as in `ESIOS_API_KEY` and `--api-key`. Undefined for other fields, and if ambiguous.
 */
function alternativeKey(field: FormField, fields: readonly FormField[]): string | undefined {
  const { place } = field.target
  const isArgument = place === 'runtimeArguments' || place === 'packageArguments'
  const words = wordsOf(field)
  if (!field.secret || !isArgument || words.length === 0) return undefined
  const candidates = fields.filter(
    ({ target, secret }) =>
      secret && target.place === 'environmentVariables' && target.variable === undefined,
  )
  const endings = candidates.filter((one) => endsWith(wordsOf(one), words))
  const found =
    endings.length > 0 ? endings : candidates.filter((one) => holds(wordsOf(one), words))
  const exact = found.filter((one) => wordsOf(one).length === words.length)
  const chosen = exact.length > 0 ? exact : found
  return chosen.length === 1 ? chosen[0]?.key : undefined
}

function wordsOf({ machineName }: FormField): string[] {
  return (machineName ?? '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
}

function endsWith(words: readonly string[], ending: readonly string[]): boolean {
  const from = words.length - ending.length
  return from >= 0 && ending.every((word, index) => words[from + index] === word)
}

/** In the same order, possibly with other words in between. */
function holds(words: readonly string[], wanted: readonly string[]): boolean {
  let next = 0
  for (const word of words) if (word === wanted[next]) next += 1
  return next === wanted.length
}
