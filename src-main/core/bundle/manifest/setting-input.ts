import { isJsonObject } from '../../../../src-shared/domain/json-object'
import { namesSecret } from '../../../../src-shared/domain/secret-name'
import { isSwitchValue } from '../../../../src-shared/domain/server-json/named-secrets'
import type {
  InputFormat,
  InputVariable,
} from '../../../../src-shared/domain/server-json/server-json'
import { readGuard } from '../../../../src-shared/domain/server-json/tolerant-reader'
import { type BundleManifest, Setting } from './manifest'
import { type ManifestContext, readText, unknownNames } from './manifest-text'

/** The settings of a manifest as inputs of a form. */
export class SettingInputs {
  readonly #settings = new Map<string, Setting>()
  /** Keys that the manifest uses without a valid declaration. */
  readonly odd = new Set<string>()

  constructor(
    { user_config: declared }: Pick<BundleManifest, 'user_config'>,
    private readonly place: ManifestContext,
  ) {
    for (const [key, raw] of Object.entries(declared)) {
      const read = Setting.safeParse(raw)
      this.#settings.set(key, read.success ? read.data : plainSetting(key, raw))
      if (!read.success) this.odd.add(key)
    }
  }

  /** Keeps a setting's value in the keychain, whatever the manifest declares. */
  markSecret(key: string): void {
    this.#settings.set(key, { ...this.#read(key), sensitive: true })
  }

  /** Whether a setting takes several paths. */
  takesSeveral(key: string): boolean {
    const { type, multiple = false } = this.#read(key)
    return multiple && (type === 'directory' || type === 'file')
  }

  /** Returns a setting's input for an argument, or a part of one. */
  asArgument(key: string): InputVariable {
    return { ...this.#input(key), sharedAs: key }
  }

  /**
   * Returns a setting's input for an environment variable, which is a single text. A list that is also an argument shares its field, and
   * its entries are joined at the start.
   */
  asVariable(key: string, isArgumentToo: boolean): InputVariable {
    if (!this.takesSeveral(key) || isArgumentToo) return this.asArgument(key)
    const input = this.#input(key)
    const proposed = this.#proposed(key)
    return {
      ...input,
      description: joined(input.description, 'Separate several values with commas.'),
      format: 'string',
      default: proposed.length > 1 ? proposed.join(',') : input.default,
    }
  }

  /** Returns the initial entries of a setting with several; empty if its default is a single text. */
  proposedEntries(key: string): readonly string[] {
    const proposed = this.#proposed(key)
    return this.takesSeveral(key) && proposed.length > 1 ? proposed : []
  }

  /** Returns unresolved names in a setting's default, as written. */
  unresolved(key: string): string[] {
    return this.#proposed(key).flatMap((text) => [
      ...readText(text, this.place).flatMap((piece) =>
        typeof piece === 'string' ? [] : [`user_config.${piece.setting}`],
      ),
      ...unknownNames(text, this.place),
    ])
  }

  #input(key: string): InputVariable {
    const { type, title, description, required, sensitive } = this.#read(key)
    const bounds = boundsOf(this.#read(key))
    const [proposed, ...others] = this.#proposed(key)
    return {
      title,
      description: joined(description, rangeOf(bounds)),
      isRequired: required === true,
      isSecret: sensitive === true,
      format: FORMATS[type],
      pathKind: type === 'directory' ? 'folder' : type === 'file' ? 'file' : undefined,
      default: others.length > 0 ? undefined : proposed,
      ...bounds,
    }
  }

  /** Returns the texts of a setting's default, with `${HOME}` and similar names filled in. */
  #proposed(key: string): readonly string[] {
    const { default: initial, sensitive } = this.#read(key)
    // A default that every copy of the bundle contains is no secret, and the form would show it.
    if (initial === undefined || sensitive === true) return []
    return (typeof initial === 'string' ? [initial] : initial).map((text) =>
      readText(text, this.place)
        .map((piece) => (typeof piece === 'string' ? piece : `\${user_config.${piece.setting}}`))
        .join(''),
    )
  }

  #read(key: string): Setting {
    const known = this.#settings.get(key)
    if (known) return { ...known, sensitive: known.sensitive ?? isNamedSecret(key, known) }
    this.odd.add(key)
    return plainSetting(key, undefined)
  }
}

const FORMATS: Readonly<Record<Setting['type'], InputFormat>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  directory: 'filepath',
  file: 'filepath',
}

/** Whether the name of a setting without a `sensitive` mark says that it is secret. */
function isNamedSecret(
  key: string,
  { type, multiple = false, default: initial }: Setting,
): boolean {
  const isSwitch = typeof initial === 'string' && isSwitchValue(initial)
  return type === 'string' && !multiple && !isSwitch && namesSecret(key)
}

/** A setting known only by its name: text, and secret if that is uncertain. */
function plainSetting(key: string, raw: unknown): Setting {
  const title = isJsonObject(raw) && typeof raw.title === 'string' ? raw.title : undefined
  const isMarked = isJsonObject(raw) && readGuard(raw.sensitive) === true
  return { type: 'string', title, sensitive: isMarked || namesSecret(key) }
}

type Bounds = Pick<Setting, 'min' | 'max'>

/** Ignores empty ranges: a publisher's mistake would leave no valid value. */
function boundsOf({ type, min, max }: Setting): Bounds {
  const isEmpty = min !== undefined && max !== undefined && min > max
  return type !== 'number' || isEmpty ? {} : { min, max }
}

function rangeOf({ min, max }: Bounds): string | undefined {
  if (min === undefined && max === undefined) return undefined
  if (max === undefined) return `Minimum: ${String(min)}.`
  return min === undefined ? `Maximum: ${String(max)}.` : `From ${String(min)} to ${String(max)}.`
}

function joined(...parts: readonly (string | undefined)[]): string | undefined {
  const text = parts.filter((part) => part !== undefined && part !== '').join(' ')
  return text === '' ? undefined : text
}
