import { OWN_COMMAND } from '../../../src-shared/domain/server-json/own-command'
import { countInputs, excessOfCount } from '../../../src-shared/domain/server-json/parse-limits'
import type {
  Argument,
  KeyValueInput,
  Package,
} from '../../../src-shared/domain/server-json/server-json'
import { cleanLine } from '../../../src-shared/domain/server-json/tolerant-reader'
import { isUv } from '../launch/packages/pypi-runner'
import { invalidBundle } from './archive/bundle-error'
import { type BundleCommand, type BundleContext, commandOf, projectFile } from './bundle-command'
import { type BundleManifest, RUNTIMES } from './manifest/manifest'
import { isBlankText, readText, toTemplate, unknownNames } from './manifest/manifest-text'
import { SettingInputs } from './manifest/setting-input'

/** A bundle as a package with a form; `several` are the initial entries of lists, by setting. */
export type BundlePackage = {
  readonly pkg: Package
  readonly several: ReadonlyMap<string, readonly string[]>
  /** Sentences about gaps in the manifest. */
  readonly notices: readonly string[]
}

/** The registry's inputs for a bundle. */
export type BundleEntryInputs = Pick<Package, 'packageArguments' | 'environmentVariables'>

const NO_INPUTS: BundleEntryInputs = { packageArguments: [], environmentVariables: [] }
/** The same rule as in `package-runners`. */
const VERSION = /^[\w.+!^~<>=*-]+$/

/**
 * Converts a bundle's manifest to a package: its command, and inputs for its settings. The package contains the bundle's folder, so it is
 * valid on one computer only. Throws UNSUPPORTED_PACKAGE or INVALID_BUNDLE.
 */
export function toBundlePackage(
  manifest: BundleManifest,
  context: BundleContext & { readonly sha256: string },
  declared: BundleEntryInputs = NO_INPUTS,
): BundlePackage {
  const command = withoutDeclared(commandOf(manifest, context), declared, context)
  checkInputs(command, declared, context)
  const settings = new SettingInputs(manifest, context)
  markSecrets(command, settings, context, declared)
  const args = command.args.map((text) => toArgument(text, settings, context))
  const listed = settingsOf(command.args, context)
  const env = Object.entries(command.env).map(([name, text]): KeyValueInput => {
    const pieces = readText(text, context)
    return { name, ...toTemplate(pieces, (key) => settings.asVariable(key, listed.has(key))) }
  })
  return {
    pkg: {
      registryType: OWN_COMMAND,
      identifier: command.command,
      version: VERSION.test(manifest.version) ? manifest.version : undefined,
      fileSha256: context.sha256,
      workingFolder: context.folder,
      isUvProject: isUv(command.command) && context.isFile(projectFile(context)) ? true : undefined,
      transport: { type: 'stdio' },
      runtimeArguments: [],
      packageArguments: [...args, ...declared.packageArguments],
      environmentVariables: mergeVariables(env, declared.environmentVariables, context),
    },
    several: severalOf(listed, settings),
    notices: [...noticesOf(command, settings, context), ...runtimeNotices(manifest, command)],
  }
}

/** Omits variables that only the registry defines: its declaration applies. */
function withoutDeclared(
  command: BundleCommand,
  { environmentVariables }: BundleEntryInputs,
  context: BundleContext,
): BundleCommand {
  const declared = new Set(environmentVariables.map(({ name }) => idOf(name, context)))
  const variables = Object.entries(command.env).filter(
    ([name, text]) => !(declared.has(idOf(name, context)) && isBlankText(text, context)),
  )
  return { ...command, env: Object.fromEntries(variables) }
}

/** Checks the number of inputs as for registry packages, before any template is built. */
function checkInputs(
  { args, env }: BundleCommand,
  { packageArguments, environmentVariables }: BundleEntryInputs,
  context: BundleContext,
): void {
  const own = [...args, ...Object.values(env)].map((text) => ({
    variables: Object.fromEntries([...settingsOf([text], context)].map((key) => [key, true])),
  }))
  const excess = excessOfCount(countInputs([...own, ...packageArguments, ...environmentVariables]))
  if (excess !== undefined) throw invalidBundle(`The bundle requests too much. ${excess}`)
}

/** Returns a variable's name as the platform compares it. */
function idOf(name: string, { platform }: BundleContext): string {
  return platform === 'win32' ? name.toUpperCase() : name
}

/** Marks settings as secret if the registry marks their variable. */
function markSecrets(
  { env }: BundleCommand,
  settings: SettingInputs,
  context: BundleContext,
  { environmentVariables }: BundleEntryInputs,
): void {
  const secret = environmentVariables.filter(({ isSecret }) => isSecret === true)
  const texts = secret.flatMap(({ name }) => (Object.hasOwn(env, name) ? (env[name] ?? '') : []))
  for (const key of settingsOf(texts, context)) settings.markSecret(key)
}

function toArgument(text: string, settings: SettingInputs, context: BundleContext): Argument {
  return {
    type: 'positional',
    ...toTemplate(readText(text, context), (key) => settings.asArgument(key)),
    isRepeated: [...settingsOf([text], context)].some((key) => settings.takesSeveral(key)),
  }
}

/** Returns the settings that texts reference. */
function settingsOf(texts: readonly string[], context: BundleContext): Set<string> {
  const pieces = texts.flatMap((text) => readText(text, context))
  return new Set(pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.setting])))
}

/** Merges variables: the manifest defines values, and the registry's other variables are added. */
function mergeVariables(
  own: readonly KeyValueInput[],
  declared: readonly KeyValueInput[],
  context: BundleContext,
): KeyValueInput[] {
  const byName = new Map(declared.map((input) => [idOf(input.name, context), input]))
  const merged = own.map((input) => {
    const declared = byName.get(idOf(input.name, context))
    return declared ? { ...input, description: declared.description } : input
  })
  const usedIds = new Set(own.map(({ name }) => idOf(name, context)))
  return [...merged, ...declared.filter(({ name }) => !usedIds.has(idOf(name, context)))]
}

function severalOf(
  listed: ReadonlySet<string>,
  settings: SettingInputs,
): Map<string, readonly string[]> {
  const several = [...listed].map((key) => [key, settings.proposedEntries(key)] as const)
  return new Map(several.filter(([, entries]) => entries.length > 0))
}

function noticesOf(
  { args, env }: BundleCommand,
  settings: SettingInputs,
  context: BundleContext,
): string[] {
  const texts = [...args, ...Object.values(env)]
  const unknown = new Set(texts.flatMap((text) => unknownNames(text, context)))
  const unresolved = [...settingsOf(texts, context)].flatMap((key) =>
    settings.unresolved(key).map((name) => `"${key}": \${${name}}`),
  )
  return [
    ...bounded(
      [...settings.odd],
      (key) => `The manifest doesn’t define the type of "${key}", so it is shown as text.`,
    ),
    ...bounded(
      [...unknown],
      (name) => `The manifest doesn’t define \${${name}}, so it is passed unchanged.`,
    ),
    ...bounded(
      unresolved,
      (leftover) => `The default contains ${leftover}, which is not replaced.`,
    ),
  ]
}

const MAX_NAMED = 5

/** Builds a sentence for each of the first few names, whose length publishers choose. */
function bounded(names: readonly string[], messageOf: (name: string) => string): string[] {
  const notices = names
    .slice(0, MAX_NAMED)
    .map((name) =>
      messageOf(name.length > 80 ? `${cleanLine(name.slice(0, 80))}…` : cleanLine(name)),
    )
  const rest = names.length - notices.length
  return rest > 0 ? [...notices, `The same applies to ${String(rest)} more.`] : notices
}

function runtimeNotices({ compatibility }: BundleManifest, { command }: BundleCommand): string[] {
  // uv provides a matching Python itself.
  const isBrought = (name: string): boolean => name === 'python' && isUv(command)
  const known = Object.entries(compatibility?.runtimes ?? {}).filter(
    ([name]) => RUNTIMES.has(name) && !isBrought(name),
  )
  return known.map(
    ([name, range]) =>
      `Requires ${RUNTIMES.get(name) ?? name} ${cleanLine(range).slice(0, 100)} on this computer.`,
  )
}
