import type {
  CustomFieldPath,
  CustomServer,
  CustomServerPreview,
  CustomServerText,
} from '../../../src-shared/domain/installation/custom-server'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type {
  ArgumentOrigin,
  FieldProblem,
  LaunchPreview,
} from '../../../src-shared/domain/installation/launch-plan'
import { placesOfKind } from '../../../src-shared/domain/installation/secret-place'
import { type CustomServerSource, toServerJson } from '../../../src-shared/form/custom-server'
import { problemsOfCustomServer } from '../../../src-shared/form/custom-server-problems'
import type { InstallationService } from '../installation/installation-service'
import { movedPlaces } from '../installation/secrets/move-secrets'
import { tooLongProblems } from './too-long'

/** What parts would start in a folder; saved secrets of `old` and stored ones count as present. */
export function previewCustomServer(
  installations: Pick<InstallationService, 'preview'>,
  made: CustomServer,
  cwd: string | undefined,
  old: Installation | undefined,
): CustomServerPreview {
  const problems = problemsOfCustomServer(made)
  // Without these there is nothing to show, and main would have to make something up.
  if (problems.some(({ spot }) => spot === 'command' || spot === 'url'))
    return { preview: null, problems }
  const hand = toServerJson(made)
  const preview = installations.preview(
    hand.offer,
    hand.values,
    placesOfCustomServer(hand, old),
    cwd,
  )
  const found = preview.problems.map(({ fieldKey, ...problem }): FieldProblem => ({
    ...problem,
    fieldKey: hand.spots.get(fieldKey) ?? fieldKey,
  }))
  return {
    preview: withSpots({ ...preview, problems: found }, made, hand),
    problems: [
      ...problems,
      ...tooLongProblems(made),
      ...found.map(({ fieldKey: spot, label, message }) => ({ spot, label, message })),
    ],
  }
}

/** Where the secrets are that are saved and stay, and those that are stored ones. */
export function placesOfCustomServer(
  { kept, secrets }: CustomServerSource,
  old: Installation | undefined,
): Installation['secrets'] {
  const own = placesOfKind(old?.secrets ?? {}, 'own')
  return { ...movedPlaces(own, kept), ...secrets }
}

/** All of it was typed by the user, so that its place says more than that it is fixed. */
function withSpots(
  preview: LaunchPreview,
  made: CustomServer,
  { spots }: CustomServerSource,
): LaunchPreview {
  const at = (origin: ArgumentOrigin, spot: CustomFieldPath | undefined): ArgumentOrigin => {
    const field = origin.fieldKey === undefined ? spot : spots.get(origin.fieldKey)
    return { ...origin, kind: origin.kind === 'fixed' ? 'you' : origin.kind, fieldKey: field }
  }
  if (preview.kind === 'remote') {
    const { url, headers } = preview
    return {
      ...preview,
      url: { ...url, origin: at(url.origin, 'url') },
      headers: headers.map((one) => ({ ...one, origin: at(one.origin, spotOf(made, one.name)) })),
    }
  }
  const passed = made.kind === 'command' ? passedPlaces(made.args) : []
  return {
    ...preview,
    args: preview.args.map((one, index) => ({
      ...one,
      origin: at(
        one.origin,
        passed[index] === undefined ? undefined : `args.${String(passed[index])}`,
      ),
    })),
    env: preview.env.map((one) => ({ ...one, origin: at(one.origin, spotOf(made, one.name)) })),
  }
}

/** Which arguments reach the process: a secret that is to be filled in does not. */
function passedPlaces(args: readonly CustomServerText[]): number[] {
  return args.flatMap((text, index) => {
    const secrets = text.filter(({ kind }) => kind !== 'text')
    const isFilled = secrets.some((piece) => piece.kind !== 'secret' || piece.secret.trim() !== '')
    return secrets.length === 0 || isFilled ? [index] : []
  })
}

function spotOf(made: CustomServer, name: string): CustomFieldPath | undefined {
  const [place, pairs] = made.kind === 'command' ? ['env', made.env] : ['headers', made.headers]
  const index = pairs.findIndex((pair) => pair.name === name)
  return index === -1 ? undefined : `${place}.${String(index)}.value`
}
