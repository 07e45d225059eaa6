import type {
  ArgumentOrigin,
  LaunchPreview,
} from '../../../../src-shared/domain/installation/launch-plan'

type Kinds = readonly ArgumentOrigin['kind'][]

const FIXED: Kinds = ['runner', 'package', 'fixed']
const DEFAULTS: Kinds = ['default']

/** What a command holds from these sources, each item as one text. */
function partsOf(preview: LaunchPreview, kinds: Kinds): string[] {
  const [parts, pairs] =
    preview.kind === 'command' ? [preview.args, preview.env] : [[preview.url], preview.headers]
  return [
    ...parts.map(({ text, origin }) => ({ text, origin })),
    ...pairs.map(({ name, text, origin }) => ({ text: `${name}=${text}`, origin })),
  ]
    .filter(({ origin }) => kinds.includes(origin.kind))
    .map(({ text, origin: { kind, fieldKey } }) => JSON.stringify([kind, fieldKey, text]))
}

function frameOf(preview: LaunchPreview): string {
  const fixed = partsOf(preview, FIXED)
  if (preview.kind === 'remote') return JSON.stringify([preview.type, fixed])
  const { command, cwd, packageName, packageVersion } = preview
  return JSON.stringify([command, cwd, packageName, packageVersion, fixed])
}

/**
 * Whether a command holds anything that the person neither typed nor saw: then it has to be read before
 * it can be approved. `shown` is the command on screen; what was typed since is known to who typed it.
 */
export function isUnseen(shown: LaunchPreview | null, fresh: LaunchPreview): boolean {
  if (shown === null) return true
  if (shown.planHash === fresh.planHash) return false
  const seen = new Set(partsOf(shown, DEFAULTS))
  return (
    frameOf(shown) !== frameOf(fresh) || partsOf(fresh, DEFAULTS).some((part) => !seen.has(part))
  )
}
