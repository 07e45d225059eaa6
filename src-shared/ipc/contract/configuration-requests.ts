import * as z from 'zod'

import { ShellKind, ShellText } from '../../domain/installation/command-text'
import {
  AddedServers,
  ReadConfiguration,
  ServerChoice,
} from '../../domain/installation/configuration'
import { CustomServerDraft, CustomServerPreview } from '../../domain/installation/custom-server'
import { InstallationId, PageRevision } from '../../domain/installation/installation'
import { request, ServerRef } from './refs'

/** Parts as the editor has them, of a new server or of the given installation. */
const CustomServerInput = CustomServerDraft.pick({ server: true, cwd: true }).extend({
  installationId: InstallationId.optional(),
})

const Chosen = z.object({
  text: z.string().max(1_000_000),
  choices: z.array(ServerChoice).max(200),
})

/** Requests on servers without a registry: pasted, or written manually. */
export const configurationRequests = {
  /**
   * Reads a pasted configuration of any usual shape, an install link, or a server.json; `choices` refer to its servers. A file of variables
   * is read only if a choice allows it. Rejects with INVALID_CONFIG or INVALID_SERVER_JSON.
   */
  'configuration.read': request(Chosen, ReadConfiguration),
  /**
   * Adds the chosen servers of a configuration, and starts those with an approved plan. Servers before a failure stay added, and the
   * response includes the failure. Rejects without adding any if the text is not the one that was read.
   */
  'configuration.add': request(Chosen, AddedServers),
  /** Returns what these parts would start; saved secrets of the installation count as present. */
  'customServer.preview': request(CustomServerInput, CustomServerPreview),
  /** Like `launch.shellText`, for these parts. */
  'customServer.shellText': request(CustomServerInput.extend({ shell: ShellKind }), ShellText),
  /**
   * Saves a server made manually: a new one, or the given installation. `start` enables and restarts it. Rejects with INVALID_VALUES, with
   * NOT_FOUND for an installation that was not made manually, and like `installation.create` and `installation.update`.
   */
  'customServer.save': request(
    CustomServerDraft.extend({
      installationId: InstallationId.optional(),
      revision: PageRevision.optional(),
      approvedPlan: z.string().max(128).optional(),
      start: z.boolean(),
    }),
    ServerRef,
  ),
}
