import Conf from 'conf'

import {
  DOCUMENT_NAME,
  DOCUMENT_OPTIONS,
  documentOverConf,
} from '../core/installation/store/document-over-conf'
import type { DocumentStore } from '../core/ports'

/** The settings file of a profile folder without Electron; throws when the file is there and is not JSON. */
export function openConfDocumentStore(profileDir: string): DocumentStore {
  return documentOverConf(
    new Conf<Record<string, unknown>>({
      ...DOCUMENT_OPTIONS,
      cwd: profileDir,
      configName: DOCUMENT_NAME,
    }),
  )
}
