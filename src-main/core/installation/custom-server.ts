import { AppError } from '../../../src-shared/domain/app-error'
import type {
  CustomFieldPath,
  CustomServer,
  CustomServerDraft,
  CustomServerPreview,
  CustomServerProblem,
  CustomServerText,
} from '../../../src-shared/domain/installation/custom-server'
import type { Installation } from '../../../src-shared/domain/installation/installation'
import type {
  ArgumentOrigin,
  FieldProblem,
  LaunchPreview,
} from '../../../src-shared/domain/installation/launch-plan'
import { placesOfKind } from '../../../src-shared/domain/installation/secret-place'
import type { SavedToolChoice } from '../../../src-shared/domain/tool-choice'
import { type CustomServerSource, toServerJson } from '../../../src-shared/form/custom-server'
import { problemsOfCustomServer } from '../../../src-shared/form/custom-server-problems'
import { MAX_VALUE_LENGTH, TOO_LONG_HINT } from '../process/spawn/child-process'
import type { Draft } from './draft'
import type { InstallationService } from './installation-service'
import { movedPlaces } from './secrets/move-secrets'

/** A draft to save. */
export type CustomServerSave = CustomServerDraft &
  Pick<Draft, 'approvedPlan' | 'revision'> & {
    /** Whether a new server is enabled; an existing one keeps its state. */
    readonly enabled: boolean
    /** Whether secrets may be missing. */
    readonly asItIs: boolean
    /** Tools available to agents; all if absent. An existing server keeps its own. */
    readonly toolChoice?: SavedToolChoice
  }

/**
 * Saves a custom server: a new one, or new parts for `old`. Rejects with INVALID_VALUES, with NOT_FOUND if `old` isn't a custom server, and
 * as `InstallationService.create` and `upgrade` do.
 */
export async function saveCustomServerDraft(
  installations: InstallationService,
  save: CustomServerSave,
  old: Installation | undefined,
): Promise<Installation> {
  if (old && old.source !== 'hand') {
    throw new AppError('NOT_FOUND', `${old.name} was not added manually.`, {
      hint: 'Change it with its own form.',
    })
  }
  // A pasted server is reported before it is added, and corrected in its form.
  const tooLong = save.asItIs ? [] : tooLongProblems(save.server)
  const [problem] = [...problemsOfCustomServer(save.server), ...tooLong]
  if (problem) {
    throw new AppError('INVALID_VALUES', `Not saved. ${problem.label}: ${problem.message}`, {
      hint: 'Correct the field, then save again.',
    })
  }
  const source = toServerJson(save.server)
  const entry = { source: 'hand', server: source.server } as const
  const { name, cwd, budgets, protocol } = save
  const { values, secrets } = source
  const draft = { name, cwd, budgets, protocol, values, secrets }
  if (old === undefined) {
    const { approvedPlan, asItIs, enabled, toolChoice } = save
    const options = { asItIs, enabled, toolChoice }
    return installations.create(entry, source.ref, { ...draft, approvedPlan }, options)
  }
  const now = installations.preview(
    source.offer,
    source.values,
    placesOfCustomServer(source, old),
    cwd,
  )
  // An approval stays while the same command would run.
  const approved = now.planHash === old.approvedPlan ? old.approvedPlan : undefined
  const approvedPlan = save.approvedPlan ?? approved
  const { installationId } = old
  await installations.upgrade(
    installationId,
    entry,
    source.ref,
    { ...draft, approvedPlan, revision: save.revision },
    source.kept,
  )
  return installations.read(installationId)
}

/** Previews the command of parts in a folder; saved and shared secrets count as present. */
export function previewCustomServer(
  installations: Pick<InstallationService, 'preview'>,
  made: CustomServer,
  cwd: string | undefined,
  old: Installation | undefined,
): CustomServerPreview {
  const problems = problemsOfCustomServer(made)
  // Without these there is nothing to preview.
  if (problems.some(({ fieldPath }) => fieldPath === 'command' || fieldPath === 'url'))
    return { preview: null, problems }
  const source = toServerJson(made)
  const preview = installations.preview(
    source.offer,
    source.values,
    placesOfCustomServer(source, old),
    cwd,
  )
  const found = preview.problems.map(({ fieldKey, ...problem }): FieldProblem => ({
    ...problem,
    fieldKey: source.fieldPaths.get(fieldKey) ?? fieldKey,
  }))
  return {
    preview: withFieldPaths({ ...preview, problems: found }, made, source),
    problems: [
      ...problems,
      ...tooLongProblems(made),
      ...found.map(({ fieldKey: fieldPath, label, message }) => ({ fieldPath, label, message })),
    ],
  }
}

/** Returns the places of saved secrets that stay, and of shared ones. */
export function placesOfCustomServer(
  { kept, secrets }: CustomServerSource,
  old: Installation | undefined,
): Installation['secrets'] {
  const own = placesOfKind(old?.secrets ?? {}, 'own')
  return { ...movedPlaces(own, kept), ...secrets }
}

/** Adds field paths to a preview: the user typed every text, so its path is more useful than "fixed". */
function withFieldPaths(
  preview: LaunchPreview,
  made: CustomServer,
  { fieldPaths }: CustomServerSource,
): LaunchPreview {
  const at = (origin: ArgumentOrigin, fieldPath: CustomFieldPath | undefined): ArgumentOrigin => {
    const field = origin.fieldKey === undefined ? fieldPath : fieldPaths.get(origin.fieldKey)
    return { ...origin, kind: origin.kind === 'fixed' ? 'you' : origin.kind, fieldKey: field }
  }
  if (preview.kind === 'remote') {
    const { url, headers } = preview
    return {
      ...preview,
      url: { ...url, origin: at(url.origin, 'url') },
      headers: headers.map((one) => ({
        ...one,
        origin: at(one.origin, fieldPathOf(made, one.name)),
      })),
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
    env: preview.env.map((one) => ({
      ...one,
      origin: at(one.origin, fieldPathOf(made, one.name)),
    })),
  }
}

/** Returns the indexes of arguments that reach the process; an empty secret doesn't. */
function passedPlaces(args: readonly CustomServerText[]): number[] {
  return args.flatMap((text, index) => {
    const secrets = text.filter(({ kind }) => kind !== 'text')
    const isFilled = secrets.some((piece) => piece.kind !== 'secret' || piece.secret.trim() !== '')
    return secrets.length === 0 || isFilled ? [index] : []
  })
}

function fieldPathOf(made: CustomServer, name: string): CustomFieldPath | undefined {
  const [place, pairs] = made.kind === 'command' ? ['env', made.env] : ['headers', made.headers]
  const index = pairs.findIndex((pair) => pair.name === name)
  return index === -1 ? undefined : `${place}.${String(index)}.value`
}

/** Returns problems of arguments and variables that are too long for this system; ignores saved secrets. */
export function tooLongProblems(
  made: CustomServer,
  platform: NodeJS.Platform = process.platform,
): CustomServerProblem[] {
  if (made.kind !== 'command' || platform !== 'linux') return []
  const fieldPaths = [
    ...made.args.map((text, index) => ({
      ...{ fieldPath: `args.${String(index)}`, label: `Argument ${String(index + 1)}` },
      name: `argument ${String(index + 1)}`,
      bytes: bytesOf(text),
    })),
    ...made.env.map(({ name, value }, index) => ({
      ...{ fieldPath: `env.${String(index)}.value`, label: `Variable ${name}`, name },
      bytes: Buffer.byteLength(`${name}=`) + bytesOf(value),
    })),
  ]
  return fieldPaths
    .filter(({ bytes }) => bytes > MAX_VALUE_LENGTH)
    .map(({ fieldPath, label, name, bytes }) => {
      const subject = name.charAt(0).toUpperCase() + name.slice(1)
      const [has, most] = [bytes, MAX_VALUE_LENGTH].map((count) => count.toLocaleString('en-US'))
      return {
        ...{ fieldPath, label },
        message: `${subject} has ${has ?? ''} bytes, but the system allows ${most ?? ''}. ${TOO_LONG_HINT}`,
      }
    })
}

function bytesOf(text: CustomServerText): number {
  return text.reduce((sum, piece) => {
    if (piece.kind === 'text') return sum + Buffer.byteLength(piece.text)
    return piece.kind === 'secret' ? sum + Buffer.byteLength(piece.secret) : sum
  }, 0)
}
