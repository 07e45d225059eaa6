import * as z from 'zod'

export const StoredSecretId = z.string().min(1).max(64)

/** The user's name of a stored secret; unique, ignoring case. */
export const StoredSecretName = z.string().trim().min(1).max(120)

/** Value of a secret on its way to the keychain; it is never returned. White space alone is invalid, and so is NUL. */
export const SecretText = z
  .string()
  .max(100_000)
  .refine(
    (text) => text.trim() !== '' && !text.includes('\0'),
    'This value can’t be stored as a secret.',
  )

/**
 * A secret that several servers can use, as the settings file stores it. Its value is in the secret store under `shared/SECRET_ID`. Times
 * are epoch ms.
 */
export const StoredSecret = z.object({
  secretId: StoredSecretId,
  name: StoredSecretName,
  createdAt: z.number(),
  /** When its value was last entered. */
  changedAt: z.number(),
})
export type StoredSecret = z.infer<typeof StoredSecret>

/** A field of a server with a secret. */
export const SecretUse = z.object({
  installationId: z.string(),
  serverName: z.string(),
  fieldKey: z.string(),
  /** Label of the field; its key if the server no longer has it. */
  label: z.string(),
})
export type SecretUse = z.infer<typeof SecretUse>

export const StoredSecretView = StoredSecret.extend({ uses: z.array(SecretUse) })
export type StoredSecretView = z.infer<typeof StoredSecretView>

/** All secrets by name and use, never by value: shared ones and those of one server. */
export const SecretDirectory = z.object({
  stored: z.array(StoredSecretView),
  own: z.array(SecretUse),
})
export type SecretDirectory = z.infer<typeof SecretDirectory>

/** Minimum length of a passphrase that encrypts secrets, in characters. */
export const MIN_PASSPHRASE = 12
