import * as z from 'zod'

/**
 * The part of a registry's server.json that Patchbay uses (schema 2025-12-11), with the registry's own field names. `parse-server-json.ts`
 * reads real documents tolerantly into this shape.
 */
export const InputFormat = z.enum(['string', 'number', 'boolean', 'filepath'])
export type InputFormat = z.infer<typeof InputFormat>

const inputShape = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: InputFormat.optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
}

/** A value that a template refers to as `{name}`; variables have no variables of their own. */
export const InputVariable = z.object({
  ...inputShape,
  /** Label for the user; if missing, it is derived from the name. */
  title: z.string().optional(),
  /** Variables of a package with the same text here share one value and one field. */
  sharedAs: z.string().optional(),
  /** What a path points to. */
  pathKind: z.enum(['folder', 'file']).optional(),
  /** Inclusive bounds of a number. */
  min: z.number().optional(),
  max: z.number().optional(),
})
export type InputVariable = z.infer<typeof InputVariable>

const templatedShape = { ...inputShape, variables: z.record(z.string(), InputVariable).optional() }

export const NamedArgument = z.object({
  ...templatedShape,
  type: z.literal('named'),
  name: z.string(),
  valueHint: z.string().optional(),
  isRepeated: z.boolean().optional(),
})
export type NamedArgument = z.infer<typeof NamedArgument>

export const PositionalArgument = z.object({
  ...templatedShape,
  type: z.literal('positional'),
  valueHint: z.string().optional(),
  isRepeated: z.boolean().optional(),
})
export type PositionalArgument = z.infer<typeof PositionalArgument>

export const Argument = z.discriminatedUnion('type', [NamedArgument, PositionalArgument])
export type Argument = z.infer<typeof Argument>

/** An environment variable or a header. */
export const KeyValueInput = z.object({ ...templatedShape, name: z.string() })
export type KeyValueInput = z.infer<typeof KeyValueInput>

export const PackageTransport = z.object({
  type: z.enum(['stdio', 'streamable-http', 'sse']),
  /** Address of a package that serves HTTP: a template with arguments, value hints and variables of its package. */
  url: z.string().optional(),
  headers: z.array(KeyValueInput).optional(),
})
export type PackageTransport = z.infer<typeof PackageTransport>

/** A publisher's instruction for after the installation: text only, it never runs. */
export const PostInstallStep = z.object({
  description: z.string(),
  command: z.string().optional(),
  /** A web address. */
  documentation: z.string().optional(),
  optional: z.boolean().optional(),
})
export type PostInstallStep = z.infer<typeof PostInstallStep>

export const Package = z.object({
  /** npm, pypi, oci, nuget, cargo, mcpb; any text in the schema. */
  registryType: z.string(),
  registryBaseUrl: z.string().optional(),
  identifier: z.string(),
  version: z.string().optional(),
  runtimeHint: z.string().optional(),
  fileSha256: z.string().optional(),
  /** Default working folder; only Patchbay's own packages have one. */
  workingFolder: z.string().optional(),
  /** Whether that folder is a project that uv creates an environment for; only bundles have this. */
  isUvProject: z.boolean().optional(),
  transport: PackageTransport,
  runtimeArguments: z.array(Argument),
  packageArguments: z.array(Argument),
  environmentVariables: z.array(KeyValueInput),
  postInstallInstructions: z.array(PostInstallStep).optional(),
  /** Paths in its command that could not be read, each with the reason. */
  ignoredParts: z.array(z.string()).optional(),
})
export type Package = z.infer<typeof Package>

export const Remote = z.object({
  type: z.enum(['streamable-http', 'sse']),
  url: z.string(),
  headers: z.array(KeyValueInput),
  variables: z.record(z.string(), InputVariable).optional(),
})
export type Remote = z.infer<typeof Remote>

/** A picture for the name: an https: address, or a data: URL of a picture. */
export const Icon = z.object({
  src: z.string(),
  mimeType: z.string().optional(),
  /** `WIDTHxHEIGHT` or `any`. */
  sizes: z.array(z.string()).optional(),
  theme: z.enum(['light', 'dark']).optional(),
})
export type Icon = z.infer<typeof Icon>

export const ServerJson = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  version: z.string(),
  websiteUrl: z.string().optional(),
  repository: z
    .object({
      url: z.string(),
      source: z.string().optional(),
      subfolder: z.string().optional(),
    })
    .optional(),
  icons: z.array(Icon).optional(),
  packages: z.array(Package),
  remotes: z.array(Remote),
})
export type ServerJson = z.infer<typeof ServerJson>

/** Why a tolerant parse omitted something or interpreted it. */
export const NoticeCode = z.enum([
  'wrong-type',
  'missing-name',
  'missing-version',
  'missing-identifier',
  'missing-address',
  'invalid-name',
  'invalid-link',
  'invalid-icon',
  'invalid-address',
  'invalid-character',
  'invalid-argument-type',
  'unknown-format',
  'unknown-transport',
  'unsupported-registry-type',
  'implied-variable',
  'too-long',
  'too-many',
  'too-large',
])
export type NoticeCode = z.infer<typeof NoticeCode>

/** Something that a tolerant parse ignored or completed: path and reason. */
export const ParseNotice = z.object({ path: z.string(), code: NoticeCode, message: z.string() })
export type ParseNotice = z.infer<typeof ParseNotice>
