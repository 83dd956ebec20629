import { Controller } from '@nestjs/common';
import { menuButtons, menuRoute, type MenuItem } from '@carillon/contracts';
import { context } from '@carillon/tenancy';
import { Handle } from '@carillon/service';
import { buttonsOf, menuOf } from './menu.service.ts';

@Controller()
export class MenuController {
  @Handle(menuRoute)
  route(): MenuItem[] {
    return menuOf(context().permissions);
  }

  @Handle(menuButtons)
  buttons(): string[] {
    return buttonsOf(context().permissions);
  }
}
