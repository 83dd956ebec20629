/** The operator's settings for imports, as each process of a service with imports receives them. */
export class ImportSetting {
  /** Whether .csv is accepted besides spreadsheets (SYS-11). */
  csv = false;
}
