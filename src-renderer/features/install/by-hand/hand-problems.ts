import type {
  HandMade,
  HandProblem,
  HandSpot,
  HandText,
} from '../../../../src-shared/domain/installation/by-hand'
import { problemsOfHand } from '../../../../src-shared/form/by-hand-problems'
import { NO_SECRET } from '../values/chosen-secret'
import { isFullPath } from '../values/install-values'
import { LIMIT_NAMES, type LimitName, limitProblem, LIMITS } from '../values/limits'
import { filledRows, type HandForm, madeOf, type RowPlace } from './hand-form'
import { rowElement } from './row-editing'

/** Every problem that keeps the editor from being saved, in the order of the page. `takenNames` are those of the other servers, `storedIds` the secrets that are there to be chosen. */
export function problemsOfForm(
  form: HandForm,
  takenNames: readonly string[],
  storedIds: readonly string[],
): HandProblem[] {
  const made = madeOf(form)
  const order = [...problemsOfHand(made), ...missingSecrets(made, storedIds)]
  return [
    ...nameProblems(form.name, takenNames),
    ...order.toSorted(bySpot),
    ...folderProblems(form),
    ...limitProblems(form),
  ]
}

/** The limits that count for a server: one that runs already has nothing to download and to start. */
export function limitsOfKind(kind: HandMade['kind']): readonly LimitName[] {
  return kind === 'address' ? ['request'] : LIMIT_NAMES
}

/** The spot of a limit. */
export function limitSpot(name: LimitName): HandSpot {
  return `limits.${name}`
}

function limitProblems({ kind, limits }: HandForm): HandProblem[] {
  return limitsOfKind(kind).flatMap((name) => {
    const message = limitProblem(name, limits[name])
    return message === undefined
      ? []
      : [{ spot: limitSpot(name), label: LIMITS[name].label, message }]
  })
}

function nameProblems(typed: string, takenNames: readonly string[]): HandProblem[] {
  const name = typed.trim().toLowerCase()
  const message =
    name === ''
      ? 'Give the server a name.'
      : takenNames.some((other) => other.trim().toLowerCase() === name)
        ? 'Another server has this name. Choose a different one.'
        : undefined
  return message === undefined ? [] : [{ spot: 'name', label: 'Server name', message }]
}

function folderProblems({ kind, cwd }: HandForm): HandProblem[] {
  const path = cwd.trim()
  if (kind === 'address' || path === '' || isFullPath(path)) return []
  const message = 'Enter the full path of a folder, or leave it empty.'
  return [{ spot: 'cwd', label: 'Folder to run in', message }]
}

function missingSecrets(made: HandMade, storedIds: readonly string[]): HandProblem[] {
  const missingIn = (text: HandText, spot: HandSpot, label: string): HandProblem[] =>
    secretFaults(text, storedIds).map((message) => ({ spot, label, message }))
  const pairs = made.kind === 'command' ? made.env : made.headers
  const place = made.kind === 'command' ? 'env' : 'headers'
  return [
    ...(made.kind === 'command'
      ? made.args.flatMap((text, index) =>
          missingIn(text, `args.${index}`, `Argument ${index + 1}`),
        )
      : missingIn(made.url, 'url', 'Address')),
    ...pairs.flatMap(({ name, value }, index) =>
      missingIn(value, `${place}.${index}.value`, name === '' ? 'The secret' : name),
    ),
  ]
}

function secretFaults(text: HandText, storedIds: readonly string[]): string[] {
  const isMissing = text.some((piece) => piece.kind === 'secret' && piece.secret.trim() === '')
  const isGone = text.some(
    (piece) => piece.kind === 'shared' && !storedIds.includes(piece.secretId),
  )
  return [...(isMissing ? ['Enter the secret.'] : []), ...(isGone ? [NO_SECRET] : [])]
}

const PLACES = ['command', 'url', 'args', 'headers', 'env']

function bySpot(a: HandProblem, b: HandProblem): number {
  const [placeA = '', indexA = '0'] = a.spot.split('.')
  const [placeB = '', indexB = '0'] = b.spot.split('.')
  return PLACES.indexOf(placeA) - PLACES.indexOf(placeB) || Number(indexA) - Number(indexB)
}

/** Element id of a control that stands alone. */
export function elementOf(spot: HandSpot): string {
  const limit = LIMIT_NAMES.find((name) => limitSpot(name) === spot)
  return limit === undefined ? `hand-${spot}` : LIMITS[limit].id
}

/** Element id of the control that mends what stands at a spot. */
export function elementOfSpot(form: HandForm, spot: HandSpot): string {
  const [place = '', index = '', part] = spot.split('.')
  if (place !== 'args' && place !== 'env' && place !== 'headers') return elementOf(spot)
  const wanted = `${place}.${index}`
  const found = [...rowSpots(form, place)].find(([, row]) => row === wanted)
  return `${rowElement(found?.[0] ?? '')}${part === 'value' ? '-value' : ''}`
}

/** The spot of a line as main counts them: empty lines of pairs are none. */
export function rowSpots(form: HandForm, place: RowPlace): ReadonlyMap<string, HandSpot> {
  const rows = place === 'args' ? form.args : filledRows(form[place])
  return new Map(rows.map(({ rowId }, index) => [rowId, `${place}.${index}`]))
}

/** The spot of a part of a line; undefined for a line that holds nothing, and for the name of an argument. */
export function spotOfRow(
  form: HandForm,
  place: RowPlace,
  rowId: string,
  part: 'name' | 'value',
): HandSpot | undefined {
  const spot = rowSpots(form, place).get(rowId)
  if (spot === undefined) return undefined
  if (place === 'args') return part === 'value' ? spot : undefined
  return `${spot}.${part}`
}
