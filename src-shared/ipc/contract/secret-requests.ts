import * as z from 'zod'

import {
  MIN_PASSPHRASE,
  SecretText,
  StoredSecretId,
  StoredSecretName,
} from '../../domain/installation/stored-secret'
import { command, request, ServerRef } from './refs'

const Passphrase = z.string().min(1).max(1_000)
const NewPassphrase = Passphrase.min(MIN_PASSPHRASE)
const SecretRef = z.object({ secretId: StoredSecretId })

/** Requests on stored secrets, which several servers can use. */
export const secretRequests = {
  /** Creates a stored secret. Rejects with NAME_TAKEN or SECRET_STORE_FAILED, like the others. */
  'secret.create': request(z.object({ name: StoredSecretName, value: SecretText }), SecretRef),
  'secret.rename': command(SecretRef.extend({ name: StoredSecretName })),
  /** Sets a new value. Running servers that use it get it after a restart, and show that until then. */
  'secret.rotate': command(SecretRef.extend({ value: SecretText })),
  /** Rejects with SECRET_IN_USE unless `evenIfUsed`. */
  'secret.remove': command(SecretRef.extend({ evenIfUsed: z.boolean() })),
  /** Converts a server's own secret to a stored one without entering it again. */
  'secret.share': request(
    ServerRef.extend({ fieldKey: z.string().max(400), name: StoredSecretName }),
    SecretRef,
  ),
  /** Returns the stored secrets without a value in the current secret store, as with another keychain. */
  'secret.findEmpty': request(z.object({}), z.array(StoredSecretId)),
  /** Opens the encrypted file of secrets. Rejects with SECRET_STORE_FAILED if the passphrase is wrong. */
  'secret.unlock': command(z.object({ passphrase: Passphrase })),
  /** Starts to keep secrets in an encrypted file, or changes its passphrase. Rejects with SECRET_STORE_FAILED. */
  'secret.encrypt': command(z.object({ passphrase: NewPassphrase })),
  /** Deletes the locked file with all its secrets, for a lost passphrase. Rejects with SECRET_STORE_FAILED. */
  'secret.deleteFile': command(z.object({})),
}
