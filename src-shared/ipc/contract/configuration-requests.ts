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

/** Parts as they stand in the editor, of a new server or of the installation that is named. */
const HandQuestion = CustomServerDraft.pick({ made: true, cwd: true }).extend({
  installationId: InstallationId.optional(),
})

const Chosen = z.object({
  text: z.string().max(1_000_000),
  choices: z.array(ServerChoice).max(200),
})

/** Servers that come from no registry: pasted, or written manually. */
export const configurationRequests = {
  /**
   * Reads a pasted configuration of any usual shape, an install link, or a server.json; the choices are about its
   * servers. A file of variables that it names is read only where a choice says so. Rejects with INVALID_CONFIG or
   * INVALID_SERVER_JSON.
   */
  'configuration.read': request(Chosen, ReadConfiguration),
  /**
   * Adds the chosen servers of a configuration, and starts those whose plan is approved; those before a failure stay added, and
   * the failure is a part of the answer. Rejects, with nothing added, when the text is not the one that was read.
   */
  'configuration.add': request(Chosen, AddedServers),
  /** What these parts would start; saved secrets of the installation count as present. */
  'byHand.preview': request(HandQuestion, CustomServerPreview),
  /** As `launch.shellText`, of these parts. */
  'byHand.shellText': request(HandQuestion.extend({ shell: ShellKind }), ShellText),
  /**
   * Saves a server made manually: a new one, or the installation that is named. `start` enables it and starts it
   * again. Rejects with INVALID_VALUES, with NOT_FOUND for an installation
   * that was not made manually, and as `installation.create` and `installation.update` do.
   */
  'byHand.save': request(
    CustomServerDraft.extend({
      installationId: InstallationId.optional(),
      revision: PageRevision.optional(),
      approvedPlan: z.string().max(128).optional(),
      start: z.boolean(),
    }),
    ServerRef,
  ),
}
