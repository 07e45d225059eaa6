import * as z from 'zod'

import {
  LEAST_PASSPHRASE,
  SecretText,
  StoredSecretId,
  StoredSecretName,
} from '../../domain/installation/stored-secret'
import type { Shapes } from './refs'
import { ServerRef } from './refs'

const Passphrase = z.string().min(1).max(1_000)
const NewPassphrase = Passphrase.min(LEAST_PASSPHRASE)
const SecretRef = z.object({ secretId: StoredSecretId })

/** The stored secrets that several servers can use. */
export const secretRequests = {
  /** Stores a secret that several servers can use. Rejects with NAME_TAKEN or SECRET_STORE_FAILED, as the others do. */
  'secret.create': {
    input: z.object({ name: StoredSecretName, value: SecretText }),
    output: SecretRef,
  },
  'secret.rename': { input: SecretRef.extend({ name: StoredSecretName }), output: z.void() },
  /** A new value; servers that use it and run get it when they are restarted, and say so until then. */
  'secret.rotate': { input: SecretRef.extend({ value: SecretText }), output: z.void() },
  /** Rejects with SECRET_IN_USE unless `evenIfUsed`. */
  'secret.remove': { input: SecretRef.extend({ evenIfUsed: z.boolean() }), output: z.void() },
  /** Makes a stored secret of one that a server has for itself, without asking for it again. */
  'secret.share': {
    input: ServerRef.extend({ fieldKey: z.string().max(400), name: StoredSecretName }),
    output: SecretRef,
  },
  /** The stored secrets that have no value where secrets are kept now, as with another keychain. */
  'secret.findEmpty': { input: z.object({}), output: z.array(StoredSecretId) },
  /** Opens the encrypted file of secrets. Rejects with SECRET_STORE_FAILED where the passphrase is wrong. */
  'secret.unlock': { input: z.object({ passphrase: Passphrase }), output: z.void() },
  /** Keeps secrets in an encrypted file from now on, or changes its passphrase. Rejects with SECRET_STORE_FAILED. */
  'secret.encrypt': { input: z.object({ passphrase: NewPassphrase }), output: z.void() },
  /** Deletes the file that is locked with all that it holds, as nobody knows its passphrase. Rejects with SECRET_STORE_FAILED. */
  'secret.deleteFile': { input: z.object({}), output: z.void() },
} satisfies Record<string, Shapes>
