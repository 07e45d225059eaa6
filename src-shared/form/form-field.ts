import type { InputFormat } from '../domain/server-json/server-json'

/** Where the value of a field goes: one input of the offer, or one `{variable}` of its template; `url` has index 0. */
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
  /** `[A-Za-z0-9_-]+`, unique in the form, the same every time the same package is read. */
  readonly key: string
  readonly label: string
  /** The registry's own words, plain text. */
  readonly description?: string
  /** What the machine reads: `--root`, `API_KEY`, `{port}`. Shown in mono beside the label. */
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
  /** Of a secret argument: the key of the environment variable of the package that seems to take the same secret. */
  readonly alternativeKey?: string
  /** Every variable of the package with this `sharedAs` takes the value too; `target` is the first of them. */
  readonly sharedAs?: string
  /** What a path leads to, where that is known. */
  readonly pathKind?: 'folder' | 'file'
  /** Bounds of a number, themselves allowed. */
  readonly min?: number
  readonly max?: number
}
