// production: return, break, while under conditions of variables
// supported: in functions and loops; what is left where becomes if-expressions; while must be known to end after 1000 turns, by a counter
// value: x = 3.75
// value: y = 0.5
// value: first = 3
// value: root = 1.5
package ReturnUnknown
  function table
    input Real x, t[:, 2];
    output Real y;
  algorithm
    if x <= t[1, 1] then
      y := t[1, 2];
      return;
    end if;
    for i in 2:size(t, 1) loop
      if x <= t[i, 1] then
        y := t[i - 1, 2] + (x - t[i - 1, 1])/(t[i, 1] - t[i - 1, 1])*(t[i, 2] - t[i - 1, 2]);
        return;
      end if;
    end for;
    y := t[end, 2];
  end table;

  function search
    input Real x, t[:, 2];
    output Real y;
  protected
    Integer i;
  algorithm
    i := 1;
    while i < size(t, 1) - 1 and x > t[i + 1, 1] loop
      i := i + 1;
    end while;
    y := t[i, 2] + (x - t[i, 1])/(t[i + 1, 1] - t[i, 1])*(t[i + 1, 2] - t[i, 2]);
  end search;

  function above
    input Real x;
    output Integer n;
  algorithm
    n := 0;
    for i in 1:10 loop
      for j in 1:2 loop
        n := n + 1;
        if i*j > x then
          break;
        end if;
      end for;
      if i > x then
        return;
      end if;
    end for;
  end above;

  model T
    Real x(start = 0, fixed = true), y, root = search(time, [0, 0; 1, 3; 2, 0; 4, 3]);
    Integer first = above(0.5*time);
  equation
    der(x) = table(time, [0, 1; 1, 3; 2, 0; 4, 1]);
    y = search(time, [0, 0; 1, 3; 2, 0; 4, 1]);
    annotation(experiment(StopTime = 3));
  end T;
end ReturnUnknown;
