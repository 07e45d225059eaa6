import type { FieldValues } from '../../../../src-shared/domain/server-json/field-values'
import { OWN_COMMAND } from '../../../../src-shared/domain/server-json/own-command'
import type { Package } from '../../../../src-shared/domain/server-json/server-json'
import { placeholders } from '../../../../src-shared/domain/server-json/template'
import type { FormField } from '../../../../src-shared/form/form-field'
import { isFixed } from '../../../../src-shared/form/input-template'
import { fieldsOfPackage } from '../../../../src-shared/form/to-form-fields'
import { runPackage } from '../packages/package-runners'
import type { RunnerOutput } from '../packages/runner'
import { decidesCode } from '../plan/code-deciding'
import type { CommandPlan, PlannedArgument, PlannedVariable } from '../plan/launch-plan'
import { startedProgramWarnings } from '../plan/started-programs'
import {
  optionsOfBlanks,
  resolveArguments,
  resolveEnvironment,
  resolveRunnerOptions,
} from './resolve-arguments'
import { filledForm, LIST_SEPARATOR } from './resolve-input'
import { resolveTransport } from './resolve-transport'

/**
 * The exact command for a package and the person's values. `secrets` holds the values of secret
 * fields by key. Says nothing of missing values: `findProblems` does. Throws UNSUPPORTED_PACKAGE.
 */
export function buildCommandPlan(
  pkg: Package,
  values: FieldValues,
  secrets: ReadonlyMap<string, string>,
): CommandPlan {
  const fields = fieldsOfPackage(pkg)
  const form = filledForm(fields, values, secrets)
  const env = resolveEnvironment(pkg, form)
  const run = runPackage({
    pkg,
    env,
    options: resolveRunnerOptions(pkg, form),
    runtime: resolveArguments(pkg, 'runtimeArguments', form),
    own: resolveArguments(pkg, 'packageArguments', form),
  })
  return {
    kind: 'command',
    ...run,
    env,
    transport: resolveTransport(pkg, form),
    packageName: pkg.identifier,
    bundleSha256: pkg.registryType === OWN_COMMAND ? pkg.fileSha256 : undefined,
    warnings: [
      ...ignoredWarnings(pkg),
      ...optionsOfBlanks(pkg, 'packageArguments', form).map(
        ({ option, setting }) => `"${option}" is left out because "${setting}" is blank.`,
      ),
      ...run.warnings,
      ...startedWarnings(run),
      ...variableWarnings(env),
      ...joinWarnings(pkg, fields, values),
      ...secretWarnings(run.args, fields),
      ...templateWarnings(pkg),
    ],
  }
}

const MOST_IGNORED = 4

/** Says that the command lacks what the entry says in a way that cannot be read. */
function ignoredWarnings({ ignoredParts = [] }: Package): string[] {
  if (ignoredParts.length === 0) return []
  const rest = ignoredParts.length > MOST_IGNORED ? ' There are more.' : ''
  const named = ignoredParts.slice(0, MOST_IGNORED).join(' ')
  return [`Part of this command was ignored: ${named}${rest}`]
}

function secretWarnings(args: readonly PlannedArgument[], fields: readonly FormField[]): string[] {
  const secret = args.filter((argument) => argument.secret)
  const bySource = new Map(secret.map((one) => [one.origin.fieldKey ?? one.origin.label, one]))
  return [...bySource.values()].flatMap(({ shown, origin: { label: numbered, fieldKey } }) => {
    const field = fields.find(({ key }) => key === fieldKey)
    // A plain value that is read from a variable of this computer is no secret.
    if (field?.secret === false) return []
    const label = field?.label ?? numbered
    const scheme = /^([a-z][a-z\d+.-]{0,30}):\/\/[^/@]{0,200}\u2022[^/@]{0,200}@/iu.exec(shown)?.[1]
    const subject = scheme === undefined ? `"${label}"` : `The password in ${scheme}://…`
    const warning = `${subject} is passed as an argument, so other programs on this computer can read it in the process list.`
    const other = fields.find(({ key }) => key === field?.alternativeKey)
    if (other === undefined) return warning
    const name = other.machineName ?? other.label
    return `${warning} The package also declares the variable ${name}, which they can’t read.`
  })
}

/** What is said of the options of a package's runner already is not said again. */
function startedWarnings({ command, args, warnings }: RunnerOutput): string[] {
  const subject = (warning: string): string => warning.split(' (')[0] ?? warning
  const said = new Set(warnings.map(subject))
  return startedProgramWarnings(command, args).filter((one) => !said.has(subject(one)))
}

function variableWarnings(env: readonly PlannedVariable[]): string[] {
  return env
    .filter(({ name }) => decidesCode(name))
    .map(({ name }) => `The variable "${name}" can change which program runs. Check its value.`)
}

/** Says which entries of a list cannot be told apart once they are joined to one variable. */
function joinWarnings(pkg: Package, fields: readonly FormField[], values: FieldValues): string[] {
  return pkg.environmentVariables.flatMap(({ name, variables = {} }) =>
    Object.values(variables).flatMap(({ sharedAs }) => {
      const field = fields.find((one) => one.sharedAs === sharedAs)
      const list = sharedAs === undefined || !field || field.secret ? '' : values[field.key]
      if (!Array.isArray(list) || list.length < 2) return []
      const odd = list.find((entry) => entry.includes(LIST_SEPARATOR))
      if (odd === undefined) return []
      return [
        `"${odd}" contains a comma, but the variable ${name} separates its entries with commas.`,
      ]
    }),
  )
}

const NAME_LIKE = /^[A-Za-z_][\w-]*$/

function templateWarnings(pkg: Package): string[] {
  // Written by a person or a bundle, where a brace is a brace.
  if (pkg.registryType === OWN_COMMAND) return []
  const inputs = [
    ...pkg.runtimeArguments,
    ...pkg.packageArguments,
    ...pkg.environmentVariables,
  ].filter(isFixed)
  return inputs.flatMap((input) =>
    placeholders(input.value)
      .filter((name) => NAME_LIKE.test(name) && !Object.hasOwn(input.variables ?? {}, name))
      .map((name) => `The entry doesn’t define {${name}}, so it is passed unchanged.`),
  )
}
