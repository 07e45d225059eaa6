import type { InputFormat } from '../domain/server-json/server-json'

/** Target of a field's value: one input of the offer, or one `{variable}` of its template; `url` has index 0. */
export type FieldTarget = {
  readonly place:
    | 'runtimeArguments'
    | 'packageArguments'
    | 'environmentVariables'
    | 'headers'
    | 'url'
  readonly index: number
  readonly variable?: string
}

/** One control of an install form, derived from the registry's metadata; see `to-form-fields.ts`. */
export type FormField = {
  /** `[A-Za-z0-9_-]+`, unique in the form, and stable for the same package. */
  readonly key: string
  readonly label: string
  /** The registry's own description, plain text. */
  readonly description?: string
  /** The technical name: `--root`, `API_KEY`, `{port}`. Shown in mono next to the label. */
  readonly machineName?: string
  readonly control: 'text' | 'number' | 'switch' | 'path' | 'choice'
  readonly format: InputFormat
  readonly choices: readonly string[]
  readonly default?: string
  readonly placeholder?: string
  readonly required: boolean
  readonly secret: boolean
  readonly repeated: boolean
  readonly target: FieldTarget
  /** For a secret argument: key of the package's environment variable that seems to take the same secret. */
  readonly alternativeKey?: string
  /** Every variable of the package with this `sharedAs` gets the value too; `target` is the first of them. */
  readonly sharedAs?: string
  /** What a path points to, if known. */
  readonly pathKind?: 'folder' | 'file'
  /** Inclusive bounds of a number. */
  readonly min?: number
  readonly max?: number
}
