/** What the operator of the installation says of imports, as each process of a service that has some is told. */
export class ImportSetting {
  /** Whether .csv is read beside spreadsheets (SYS-11). */
  csv = false;
}
