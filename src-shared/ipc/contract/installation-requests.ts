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

/** An installation in another version, from an entry of the catalog. */
const UpgradeRef = EntryRef.extend(ServerRef.shape)

const Draft = z.object({
  name: z.string().max(120),
  values: FieldValues,
  budgets: PhaseBudgets.default({}),
  /** Missing: unchanged. */
  protocol: ProtocolOptions.optional(),
  /** Locations of the secrets that are not typed; a field may use a stored one. Missing: unchanged. */
  secrets: SecretPlaces.optional(),
  /** Empty or missing: the home folder. */
  cwd: WorkingFolder.optional(),
})

/** Additions to a draft of an existing installation. */
const Change = z.object({
  /** Restarts it with the saved values. */
  start: z.boolean().default(false),
  /** Hash of the approved preview. */
  approvedPlan: z.string().max(128).optional(),
  /** Revision of the page with the draft; missing: not checked. */
  revision: PageRevision.optional(),
})

/**
 * Selects what would run with these values: a catalog entry, an installation (including its saved secrets), or an installation in another
 * version.
 */
const LaunchInput = z.object({
  of: z.union([UpgradeRef, EntryRef, ServerRef]),
  values: FieldValues,
  secrets: SecretPlaces.optional(),
  cwd: WorkingFolder.optional(),
})

/** Requests on installations: launch previews, values and versions. */
export const installationRequests = {
  /** Returns the exact command. */
  'launch.preview': request(LaunchInput, LaunchPreview),
  /** Returns the same command as text for a shell, with variables for secrets; NOT_AVAILABLE_HERE for what the shell cannot express. */
  'launch.shellText': request(LaunchInput.extend({ shell: ShellKind }), ShellText),
  /**
   * Saves a copy with its values. Rejects with INVALID_VALUES if one does not fit, unless `asItIs` (an older configuration). `approvedPlan`
   * approves the first start if the plan still has that hash. `start` enables and starts it.
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
  /** Rejects like `installation.create`, and with CHANGED_MEANWHILE if `revision` is outdated. */
  'installation.update': command(ServerRef.extend(Draft.shape).extend(Change.shape)),
  /** Enabling starts it if its `StartPolicy` requires it, or if it starts on first use but was never listed; disabling stops it. */
  'installation.setEnabled': command(ServerRef.extend({ enabled: z.boolean() })),
  /** Converts its own secrets that are not deleted to stored secrets. With `canTakeBack` the deletion follows half a minute later. */
  'installation.remove': command(
    ServerRef.extend({
      deleteSecrets: z.boolean(),
      canTakeBack: z.boolean().default(false),
    }),
  ),
  /** Restores a removed installation; NOT_FOUND after its deletion. */
  'installation.takeBack': command(ServerRef),
  /** Converts an older `{"package_args": {...}}` to values; `unknown` lists the names without a field. */
  'installation.readLegacy': request(
    z.object({ of: z.union([EntryRef, ServerRef]), text: z.string().max(1_000_000) }),
    z.object({ values: FieldValues, unknown: z.array(z.string()) }),
  ),
  /**
   * Moves an installation to another version with these values; saved secrets move with their fields. A plan without approval needs one at
   * the next start. Returns what is kept of the earlier version. Rejects like `installation.update`.
   */
  'update.apply': request(
    UpgradeRef.extend(Draft.shape).extend(Change.shape),
    z.object({ earlier: EarlierVersionRef.nullable() }),
  ),
  /** Returns the earlier versions compared with the current one, latest first. */
  'update.earlier': request(ServerRef, z.array(EarlierVersionView)),
  /**
   * Restores an earlier version with its values and its approval, and starts it if `start` is set and nothing `asksAgain`. `left` is what
   * is kept of the version it replaces. NOT_FOUND if it is no longer kept.
   */
  'update.rollBack': request(
    ServerRef.extend({ versionKey: VersionKey, start: z.boolean().default(false) }),
    z.object({ left: EarlierVersionRef.nullable(), asksAgain: z.boolean() }),
  ),
  /** Requests a newer version from the registry; null if there is none. Rejects with REGISTRY_UNREACHABLE or REGISTRY_BAD_ANSWER. */
  'update.check': request(ServerRef, CatalogEntry.nullable()),
  /** Returns what an entry of the catalog would change. Rejects with UNSUPPORTED_PACKAGE if it has no offer of the current type. */
  'update.review': request(ServerRef.extend({ entryId: EntryId }), UpdateReview),
}
