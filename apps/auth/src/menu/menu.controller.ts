import { Controller } from '@nestjs/common';
import {
  getApiRights,
  neverProgram,
  addMenu,
  deleteMenus,
  editMenu,
  getMenu,
  listMenus,
  listParentMenus,
  menuButtons,
  menuRoute,
  menuTreeOf,
  previewMenu,
  type MenuItem,
  type MenuNode,
  type MenuRecord,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { context } from '@carillon/tenancy';
import { Handle } from '@carillon/service';
import { buttonsFor, MenuService } from './menu.service.ts';

/** The menu calls (SYS-06). */
@Controller()
export class MenuController {
  constructor(private readonly menus: MenuService) {}

  @Handle(menuRoute)
  route(): Promise<MenuItem[]> {
    return this.menus.route(context().permissions);
  }

  @Handle(menuButtons)
  buttons(): string[] {
    return buttonsFor(context().permissions);
  }

  /** Returns the same tree without what no token has: a token holds no more than its maker. */
  @Handle(getApiRights)
  apiRights(): Promise<MenuNode[]> {
    return this.menus.tree(undefined, neverProgram);
  }

  @Handle(menuTreeOf)
  tree({ query }: RouteInput<typeof menuTreeOf>): Promise<MenuNode[]> {
    return this.menus.tree(query.roleId);
  }

  @Handle(listMenus)
  list(): Promise<MenuRecord[]> {
    return this.menus.list();
  }

  @Handle(listParentMenus)
  parents(): Promise<MenuRecord[]> {
    return this.menus.parents();
  }

  @Handle(previewMenu)
  preview({ query }: RouteInput<typeof previewMenu>): Promise<RouteReturn<typeof previewMenu>> {
    return this.menus.preview(query.permissions ?? [], query.roleId);
  }

  @Handle(getMenu)
  get({ params }: RouteInput<typeof getMenu>): Promise<MenuRecord> {
    return this.menus.get(params.id);
  }

  @Handle(addMenu)
  add({ body }: RouteInput<typeof addMenu>): Promise<MenuRecord> {
    return this.menus.add(body);
  }

  @Handle(editMenu)
  edit({ body }: RouteInput<typeof editMenu>): Promise<MenuRecord> {
    return this.menus.edit(body);
  }

  @Handle(deleteMenus)
  async delete({ query }: RouteInput<typeof deleteMenus>): Promise<{ deleted: number }> {
    return { deleted: await this.menus.delete(query.ids) };
  }
}
