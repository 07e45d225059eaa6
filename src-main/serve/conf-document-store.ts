import Conf from 'conf'

import {
  DOCUMENT_NAME,
  DOCUMENT_OPTIONS,
  documentOverConf,
} from '../core/installation/store/document-over-conf'
import type { DocumentStore } from '../core/ports'

/** A profile's settings file without Electron; throws if the file isn't JSON. */
export function openConfDocumentStore(profileDir: string): DocumentStore {
  return documentOverConf(
    new Conf<Record<string, unknown>>({
      ...DOCUMENT_OPTIONS,
      cwd: profileDir,
      configName: DOCUMENT_NAME,
    }),
  )
}
