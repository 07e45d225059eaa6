import { asList, isJsonObject, type JsonObject } from '../json-object'
import { type TolerantReader } from './tolerant-reader'

/** Far more than any real package has. A package with more is ignored as a whole: half of its arguments would be another command. */
const MAX_INPUTS = 400
/** Maximum length of all values, defaults and choices together, in characters. No system accepts a command line of this length. */
const MAX_TEXT = 200_000
const MAX_VALUES = 20_000
/** Maximum number of choices that a list shows; further choices of an input are ignored. */
export const MAX_CHOICES = 1_000

/**
 * Returns why the inputs of a package or remote are too many for a form, as a sentence; undefined if they are not. Runs before they are
 * read, so that reading them takes no time either.
 */
export function excessOf(
  reader: TolerantReader,
  source: JsonObject,
  lists: readonly string[],
): string | undefined {
  const transport = reader.field(source, 'transport', 'transportType')
  const headers = isJsonObject(transport) ? reader.field(transport, 'headers') : undefined
  const inputs = [...lists.map((name) => reader.field(source, name)), headers]
    .flatMap(asList)
    .filter(isJsonObject)
  const variables = [source, ...inputs].flatMap(({ variables: map }) =>
    isJsonObject(map) ? Object.values(map).filter(isJsonObject) : [],
  )
  const all = [...inputs, ...variables]
  const excess = excessOfCount(all.length)
  if (excess !== undefined) return excess
  const texts = all.flatMap((input) => [
    input.value,
    input.default,
    ...asList(input.choices).slice(0, MAX_CHOICES),
  ])
  const length = texts.reduce<number>(
    (sum, text) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  )
  return texts.length > MAX_VALUES || length > MAX_TEXT
    ? 'The values exceed the command-line limit.'
    : undefined
}

/** Returns why this number of inputs is too large for a form, as a sentence; undefined if it is not. */
export function excessOfCount(count: number): string | undefined {
  return count > MAX_INPUTS
    ? `More than ${String(MAX_INPUTS)} inputs. The form can’t show them.`
    : undefined
}

/** Counts inputs and their variables, including those that only a placeholder implies. */
export function countInputs(
  inputs: readonly { readonly variables?: Readonly<Record<string, unknown>> | undefined }[],
): number {
  return inputs.reduce((sum, { variables = {} }) => sum + 1 + Object.keys(variables).length, 0)
}
