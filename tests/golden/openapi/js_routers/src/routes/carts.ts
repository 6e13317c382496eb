export const openCart = async (req: Request, res: Response) => {
  res.status(201).json({});
};
