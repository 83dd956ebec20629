import { Popover, type PopoverDropdownProps } from '@mantine/core';

/**
 * The content of a popover with its own name: Mantine uses that of the button, which may be a count or a value, and
 * accepts only a text instead.
 */
export const Panel = (props: PopoverDropdownProps & { 'aria-label': string }) => (
  // oxlint-disable-next-line jsx-a11y/aria-proptypes -- An empty one takes back the name that Mantine gives.
  <Popover.Dropdown aria-labelledby="" {...props} />
);
