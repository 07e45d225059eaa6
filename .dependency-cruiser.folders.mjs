import modules from './.dependency-cruiser.mjs'

/**
 * No two folders need each other. Tests, whose fixtures reach everywhere, are left out.
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'no-circle-of-folders',
      severity: 'error',
      comment: 'Move what both need into a folder below them.',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...modules.options, exclude: { path: '\\.test\\.tsx?$' } },
}
