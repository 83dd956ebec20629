import { Popover, type PopoverDropdownProps } from '@mantine/core';

/**
 * What opens from a button, under a name of its own: Mantine gives it the button's, which may be a count or a value,
 * and takes nothing but a text for another.
 */
export const Panel = (props: PopoverDropdownProps & { 'aria-label': string }) => (
  // oxlint-disable-next-line jsx-a11y/aria-proptypes -- An empty one takes back the name that Mantine gives.
  <Popover.Dropdown aria-labelledby="" {...props} />
);
