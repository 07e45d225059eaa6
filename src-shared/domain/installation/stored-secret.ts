import * as z from 'zod'

export const StoredSecretId = z.string().min(1).max(64)

/** What the user calls a stored secret; no two have the same name, whatever the case. */
export const StoredSecretName = z.string().trim().min(1).max(120)

/** The value of a secret on its way to the keychain; it never comes back. Nothing but spaces is none, and no NUL can be passed on. */
export const SecretText = z
  .string()
  .max(100_000)
  .refine(
    (text) => text.trim() !== '' && !text.includes('\0'),
    'This value can’t be stored as a secret.',
  )

/**
 * A secret that several servers can use, as the settings file holds it: its value is in the secret store
 * under `shared/SECRET_ID`. Times are epoch ms.
 */
export const StoredSecret = z.object({
  secretId: StoredSecretId,
  name: StoredSecretName,
  createdAt: z.number(),
  /** When its value was typed last. */
  changedAt: z.number(),
})
export type StoredSecret = z.infer<typeof StoredSecret>

/** A field of a server that has a secret. */
export const SecretUse = z.object({
  installationId: z.string(),
  serverName: z.string(),
  fieldKey: z.string(),
  /** The label of the field; its key where the server no longer has it. */
  label: z.string(),
})
export type SecretUse = z.infer<typeof SecretUse>

export const StoredSecretView = StoredSecret.extend({ uses: z.array(SecretUse) })
export type StoredSecretView = z.infer<typeof StoredSecretView>

/** Every secret by name and use, never by value: those that servers can share, and those of one server each. */
export const SecretDirectory = z.object({
  stored: z.array(StoredSecretView),
  own: z.array(SecretUse),
})
export type SecretDirectory = z.infer<typeof SecretDirectory>

/** Fewest characters of a passphrase that encrypts secrets. */
export const LEAST_PASSPHRASE = 12
