import * as z from 'zod'

import {
  LEAST_PASSPHRASE,
  SecretText,
  StoredSecretId,
  StoredSecretName,
} from '../../domain/installation/stored-secret'
import { command, request, ServerRef } from './refs'

const Passphrase = z.string().min(1).max(1_000)
const NewPassphrase = Passphrase.min(LEAST_PASSPHRASE)
const SecretRef = z.object({ secretId: StoredSecretId })

/** The stored secrets that several servers can use. */
export const secretRequests = {
  /** Stores a secret that several servers can use. Rejects with NAME_TAKEN or SECRET_STORE_FAILED, as the others do. */
  'secret.create': request(z.object({ name: StoredSecretName, value: SecretText }), SecretRef),
  'secret.rename': command(SecretRef.extend({ name: StoredSecretName })),
  /** A new value; servers that use it and run get it when they are restarted, and say so until then. */
  'secret.rotate': command(SecretRef.extend({ value: SecretText })),
  /** Rejects with SECRET_IN_USE unless `evenIfUsed`. */
  'secret.remove': command(SecretRef.extend({ evenIfUsed: z.boolean() })),
  /** Makes a stored secret of one that a server has for itself, without asking for it again. */
  'secret.share': request(
    ServerRef.extend({ fieldKey: z.string().max(400), name: StoredSecretName }),
    SecretRef,
  ),
  /** The stored secrets that have no value where secrets are kept now, as with another keychain. */
  'secret.findEmpty': request(z.object({}), z.array(StoredSecretId)),
  /** Opens the encrypted file of secrets. Rejects with SECRET_STORE_FAILED where the passphrase is wrong. */
  'secret.unlock': command(z.object({ passphrase: Passphrase })),
  /** Keeps secrets in an encrypted file from now on, or changes its passphrase. Rejects with SECRET_STORE_FAILED. */
  'secret.encrypt': command(z.object({ passphrase: NewPassphrase })),
  /** Deletes the file that is locked with all that it holds, as nobody knows its passphrase. Rejects with SECRET_STORE_FAILED. */
  'secret.deleteFile': command(z.object({})),
}
