import { EXPORT_COLUMNS } from '../account-fields'

/** The text that Load Example puts into the box. Shows both formats. */
export const IMPORT_EXAMPLE = `# Simple: username|password|expireDays|token (the last two may be left out)
923001234567|secret123
923007654321|secret456|30
# Full: the columns of Download All Data
${EXPORT_COLUMNS.join('|')}
923005550101|923005550101|secret789|user|Business|400|5|45|0|30|[NONE]|true|`
