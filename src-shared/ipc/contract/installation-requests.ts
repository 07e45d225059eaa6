import * as z from 'zod'

import { CatalogEntry } from '../../domain/catalog/catalog-entry'
import { ShellKind, ShellText } from '../../domain/installation/command-text'
import {
  EarlierVersionRef,
  EarlierVersionView,
  VersionKey,
} from '../../domain/installation/earlier-version'
import {
  OpenedInstallation,
  PageRevision,
  PhaseBudgets,
  ProtocolOptions,
  WorkingFolder,
} from '../../domain/installation/installation'
import { LaunchPreview } from '../../domain/installation/launch-plan'
import { SecretPlaces } from '../../domain/installation/secret-place'
import { UpdateReview } from '../../domain/installation/update-review'
import { FieldValues } from '../../domain/server-json/field-values'
import { command, EntryId, EntryRef, request, ServerRef } from './refs'

/** An installation in another version: of an entry that the catalog knows. */
const UpgradeRef = EntryRef.extend(ServerRef.shape)

const Draft = z.object({
  name: z.string().max(120),
  values: FieldValues,
  budgets: PhaseBudgets.default({}),
  /** Missing: as it was before. */
  protocol: ProtocolOptions.optional(),
  /** Where the secrets that are not typed are: a field is free to use a stored one. Missing: where they were before. */
  secrets: SecretPlaces.optional(),
  /** Empty or missing: the home folder. */
  cwd: WorkingFolder.optional(),
})

/** What goes with a draft of something that is installed. */
const Change = z.object({
  /** Starts it again with what was saved. */
  start: z.boolean().default(false),
  /** The hash of the preview that the user approved. */
  approvedPlan: z.string().max(128).optional(),
  /** Of the page that it was typed in; missing: not checked. */
  revision: PageRevision.optional(),
})

/** What would run: a catalog entry, an installation (whose saved secrets count), or one in another version, with these values. */
const LaunchQuestion = z.object({
  of: z.union([UpgradeRef, EntryRef, ServerRef]),
  values: FieldValues,
  secrets: SecretPlaces.optional(),
  cwd: WorkingFolder.optional(),
})

/** Installations: what they would run, what was typed, and their versions. */
export const installationRequests = {
  /** The exact command. */
  'launch.preview': request(LaunchQuestion, LaunchPreview),
  /** The same command as text to paste into a shell, with variables for secrets; NOT_AVAILABLE_HERE for what the shell cannot carry. */
  'launch.shellText': request(LaunchQuestion.extend({ shell: ShellKind }), ShellText),
  /**
   * Saves a copy with its values; INVALID_VALUES when one does not fit, unless `asItIs` (an older
   * configuration). With `approvedPlan` the first start is approved, when the plan still has that hash.
   * `start` enables and starts it.
   */
  'installation.create': request(
    EntryRef.extend(Draft.shape).extend({
      start: z.boolean(),
      asItIs: z.boolean().default(false),
      approvedPlan: z.string().max(128).optional(),
    }),
    ServerRef,
  ),
  'installation.read': request(ServerRef, OpenedInstallation),
  /** Rejects as `installation.create` does, and with CHANGED_MEANWHILE when the `revision` is not the present one. */
  'installation.update': command(ServerRef.extend(Draft.shape).extend(Change.shape)),
  /** Enabling starts it where its `StartPolicy` says so, and where it starts with its first use but was never listed; disabling stops it. */
  'installation.setEnabled': command(ServerRef.extend({ enabled: z.boolean() })),
  /** Secrets of its own that are not deleted become stored secrets. With `canTakeBack` it is deleted half a minute later. */
  'installation.remove': command(
    ServerRef.extend({
      deleteSecrets: z.boolean(),
      canTakeBack: z.boolean().default(false),
    }),
  ),
  /** Puts back what was removed so that it can be; NOT_FOUND once it is deleted. */
  'installation.takeBack': command(ServerRef),
  /** Reads an older `{"package_args": {...}}` into values; `unknown` lists the names that no field has. */
  'installation.readLegacy': request(
    z.object({ of: z.union([EntryRef, ServerRef]), text: z.string().max(1_000_000) }),
    z.object({ values: FieldValues, unknown: z.array(z.string()) }),
  ),
  /**
   * Moves an installation to another version with these values; saved secrets go with their fields. What is
   * not approved with it is asked for at the next start. Answers what is kept of before. Rejects as `installation.update` does.
   */
  'update.apply': request(
    UpgradeRef.extend(Draft.shape).extend(Change.shape),
    z.object({ earlier: EarlierVersionRef.nullable() }),
  ),
  /** The versions before that can be gone back to, beside what is installed; the last one first. */
  'update.earlier': request(ServerRef, z.array(EarlierVersionView)),
  /**
   * Brings an earlier version back with its values and what was approved of it, and starts that where `start` says so
   * and nothing `asksAgain`. `left` is what is kept of the version before. NOT_FOUND once it is no longer kept.
   */
  'update.goBack': request(
    ServerRef.extend({ versionKey: VersionKey, start: z.boolean().default(false) }),
    z.object({ left: EarlierVersionRef.nullable(), asksAgain: z.boolean() }),
  ),
  /** Asks the registry for a newer version; null when there is none. Rejects with REGISTRY_UNREACHABLE or REGISTRY_BAD_ANSWER. */
  'update.check': request(ServerRef, CatalogEntry.nullable()),
  /** What an entry of the catalog would change. Rejects with UNSUPPORTED_PACKAGE when it offers nothing of the kind in use. */
  'update.review': request(ServerRef.extend({ entryId: EntryId }), UpdateReview),
}
